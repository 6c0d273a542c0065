// `npm run docs:scenarios`: makes the generated tables of docs/scenarios.md, its gallery and the README's count anew, from
// the declarations.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, root, sh } from './setup.mjs';

const page = 'docs/scenarios.md';
const gallery = 'docs/images/scenarios.jpg';

await install();
build();
sh(process.execPath, ['bin/sceneshift.js', 'scenarios', '--page', page, '--gallery', gallery]);
console.log(`${gallery}: ${Math.round(statSync(join(root, gallery)).size / 1024)} KB`);

const { scenarios } = JSON.parse(
  execFileSync(process.execPath, ['bin/sceneshift.js', 'scenarios', '--json'], { cwd: root }),
);
const readme = join(root, 'README.md');
writeFileSync(readme, readFileSync(readme, 'utf8').replace(/\d+(?= edits of background)/, scenarios.length));
