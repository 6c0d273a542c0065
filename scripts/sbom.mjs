// `node scripts/sbom.mjs FILE`: the bill of materials of the package in CycloneDX, from package-lock.json and benchmark/PROVENANCE.csv.
// npm's own `--omit dev` leaves out what the studio's workspace needs too (all of d3), so its full list is reduced here.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { productionPackages } from './production-packages.mjs';
import { root } from './setup.mjs';

const [file] = process.argv.slice(2);
if (!file) {
  console.error('✗ Expected a file to write: node scripts/sbom.mjs sceneshift.cdx.json');
  process.exit(2);
}
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const all = JSON.parse(
  execFileSync(npm, ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const wanted = new Set(productionPackages(root).map(({ name, version }) => `${name}@${version}`));
const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);
const packages = all.components.filter((one) => wanted.has(`${nameOf(one)}@${one.version}`));
const found = new Set(packages.map((one) => `${nameOf(one)}@${one.version}`));
const missing = [...wanted].filter((id) => !found.has(id));
if (missing.length) {
  console.error(`✗ npm sbom does not list ${missing.join(', ')}`);
  process.exit(1);
}

const [, ...lines] = readFileSync(join(root, 'benchmark', 'PROVENANCE.csv'), 'utf8')
  .trim()
  .split('\n');
const embedded = lines.map((line) => {
  const [path, , sha256] = line.split(',');
  return {
    type: path.endsWith('.onnx') ? 'machine-learning-model' : 'data',
    name: `benchmark/${path}`,
    'bom-ref': `benchmark/${path}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ license: { id: 'CC0-1.0' } }],
  };
});
const kept = new Set([...packages.map((one) => one['bom-ref']), all.metadata.component['bom-ref']]);
const bill = {
  ...all,
  components: [...packages, ...embedded],
  dependencies: all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => kept.has(ref)) })),
};
writeFileSync(resolve(file), `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${packages.length} packages and ${embedded.length} embedded files in ${resolve(file)}`);
