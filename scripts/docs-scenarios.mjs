// `npm run docs:scenarios`: makes the generated tables of docs/scenarios.md and its gallery anew, from the declarations.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, root, sh } from './setup.mjs';

const page = 'docs/scenarios.md';
const gallery = 'docs/images/scenarios.jpg';

install();
build();
sh(process.execPath, ['bin/sceneshift.js', 'scenarios', '--page', page, '--gallery', gallery]);
console.log(`${gallery}: ${Math.round(statSync(join(root, gallery)).size / 1024)} KB`);
