// `node scripts/licences.mjs [--check] [--root DIR]`: docs/licences.md, the licence of everything a user gets. Status 1 where one is not on
// the list of those we may ship with; with --check also where the page is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { productionPackages } from './production-packages.mjs';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
});
const page = join(values.root, 'docs', 'licences.md');

const allowed = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'CC0-1.0']);
/** Allowed for these alone: libvips is a shared library that npm installs beside us and anyone can exchange. */
const weakCopyleft = { licence: 'LGPL-3.0-or-later', packages: /^@img\/sharp-/ };

/** `A AND B` needs both, `A OR B` one; brackets around the whole are the only ones npm's packages use here. */
function isAllowed(name, expression) {
  const one = (id) => allowed.has(id) || (id === weakCopyleft.licence && weakCopyleft.packages.test(name));
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(one);
  return plain.split(' AND ').every(one);
}

/** The lock file leaves out a few; then the package itself is asked. */
function licenceOf({ path, name, license }) {
  if (license) return license;
  const file = join(values.root, path, 'package.json');
  const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
  if (typeof own !== 'string') throw new Error(`${name} does not say its licence; look at it and find another package`);
  return own;
}

try {
  const listed = new Map();
  for (const each of productionPackages(values.root)) {
    const licence = licenceOf(each);
    if (!isAllowed(each.name, licence))
      throw new Error(`${each.name} is under ${licence}, which is not on the list in scripts/licences.mjs`);
    listed.set(`${each.name} ${each.version}`, `| ${each.name} | ${each.version} | ${licence} |`);
  }
  const text = `# Licences of what is shipped

Sceneshift is under Apache-2.0; its pictures and weights are CC0-1.0 (\`benchmark/PROVENANCE.csv\`). This is everything that npm installs with it, on any
platform, and what the studio's page is built of. Made by \`node scripts/licences.mjs\`, which refuses a licence that is not on its list; a
test holds it current.

| package | version | licence |
| --- | --- | --- |
${[...listed.values()].join('\n')}
`;
  if (!values.check) writeFileSync(page, text);
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text)
    throw new Error('docs/licences.md is out of date: node scripts/licences.mjs');
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
