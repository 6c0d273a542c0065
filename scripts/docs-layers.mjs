// `node scripts/docs-layers.mjs`: draws the picture of the layers in docs/architecture.md anew, from the imports of src.
// With --check it only says whether the picture is current.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/architecture.md');
const [start, end] = ['<!-- layers: made by scripts/docs-layers.mjs -->', '<!-- end of layers -->'];

/** Folder of src → folders it imports, tests left out. */
function readImports() {
  const src = join(root, 'src');
  const imports = new Map();
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const [folder, ...rest] = relative(src, file).split(sep);
    if (!entry.isFile() || !rest.length || !file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const found = imports.get(folder) ?? new Set();
    imports.set(folder, found);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const [other, inside] = relative(src, join(dirname(file), target)).split(sep);
      if (inside !== undefined && other !== folder && other !== '..') found.add(other);
    }
  }
  return new Map([...imports].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One step above the highest folder it imports. */
function levelsOf(imports) {
  const levels = new Map();
  const levelOf = (folder, path = []) => {
    if (path.includes(folder)) throw new Error(`folders import each other: ${[...path, folder].join(' → ')}`);
    if (!levels.has(folder))
      levels.set(
        folder,
        1 + Math.max(-1, ...[...(imports.get(folder) ?? [])].map((below) => levelOf(below, [...path, folder]))),
      );
    return levels.get(folder);
  };
  for (const folder of imports.keys()) levelOf(folder);
  return levels;
}

/** Without the arrows that a longer way says already. */
function reduce(imports) {
  const reaches = (from, to) => [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...imports].flatMap(([folder, below]) =>
    [...below]
      .filter((to) => ![...below].some((way) => way !== to && reaches(way, to)))
      .sort()
      .map((to) => [folder, to]),
  );
}

function draw() {
  const imports = readImports();
  const levels = levelsOf(imports);
  const rows = [...new Set(levels.values())].sort((a, b) => b - a);
  return [
    '```mermaid',
    'flowchart TD',
    ...rows.flatMap((level) => [
      `  subgraph level${level}[" "]`,
      ...[...levels]
        .filter(([, own]) => own === level)
        .map(([folder]) => `    ${folder}`)
        .sort(),
      '  end',
    ]),
    ...reduce(imports).map(([from, to]) => `  ${from} --> ${to}`),
    '```',
  ].join('\n');
}

const text = readFileSync(page, 'utf8');
const [before, rest = ''] = text.split(start);
const after = rest.split(end)[1];
if (after === undefined) throw new Error(`${page} lacks the lines ${start} and ${end}`);
const current = `${before}${start}\n${draw()}\n${end}${after}`;
if (!process.argv.includes('--check')) writeFileSync(page, current);
else if (current !== text) {
  console.error('docs/architecture.md: the picture of the layers is not current; run node scripts/docs-layers.mjs');
  process.exitCode = 1;
}
