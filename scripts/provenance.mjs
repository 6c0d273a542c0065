// `node scripts/provenance.mjs [--check] [--root DIR]`: benchmark/PROVENANCE.csv, one line for every picture, mask, weight and word list
// that is embedded: its hash, what made it, and its licence. With --check nothing is written: status 1 names what differs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
});
const benchmark = join(values.root, 'benchmark');
const table = join(benchmark, 'PROVENANCE.csv');

/** Folder → the scripts that made what is in it. A file in none of them has no known origin, and is refused. */
const origins = [
  ['images/', 'render/main.py, render/assemble.py (Blender Cycles)'],
  ['masks/', 'render/passes.py, render/assemble.py (the visibility pass)'],
  ['backgrounds/', 'render/main.py, render/assemble.py (Blender Cycles)'],
  ['generated/', 'sceneshift render --scenarios generated-background, by diffusion/model'],
  ['models/', 'train/train.py, train/export.py (PyTorch)'],
  ['diffusion/model/', 'diffusion/train (PyTorch), on plates of diffusion/plates (Blender Cycles)'],
];
/** Scripts, texts about them and this table: written by hand, under the project's licence. */
const byHand = /\.(py|md|ya?ml|txt)$|^manifest\.csv$|^PROVENANCE\.csv$|^render\/classes\.json$/;

function embedded() {
  const entries = readdirSync(benchmark, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(benchmark.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((file) => file.startsWith('diffusion/model/') || !byHand.test(file))
    .sort();
}

const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function lineOf(file) {
  const origin = origins.find(([folder]) => file.startsWith(folder));
  if (!origin) throw new Error(`benchmark/${file} has no known origin; say in scripts/provenance.mjs what made it`);
  const bytes = readFileSync(join(benchmark, file));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return [file, bytes.length, sha256, quoted(origin[1]), 'CC0-1.0'].join(',');
}

try {
  const lines = embedded().map(lineOf);
  const text = `${['file,bytes,sha256,made by,licence', ...lines].join('\n')}\n`;
  if (!values.check) writeFileSync(table, text);
  else {
    const known = new Set(existsSync(table) ? readFileSync(table, 'utf8').trim().split('\n').slice(1) : []);
    const other = [
      ...lines.filter((line) => !known.has(line)),
      ...[...known].filter((line) => !lines.includes(line)),
    ].map((line) => line.split(',')[0]);
    if (other.length)
      throw new Error(
        `benchmark/PROVENANCE.csv does not tell of ${[...new Set(other)].slice(0, 5).join(', ')} as it is; if it was made anew by the scripts, node scripts/provenance.mjs`,
      );
  }
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
