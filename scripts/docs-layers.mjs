// `node scripts/docs-layers.mjs`: draws the picture of the layers in docs/architecture.md anew, from the imports of src.
// With --check it only says whether the picture is current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from './imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/architecture.md');
const [start, end] = ['<!-- layers: made by scripts/docs-layers.mjs -->', '<!-- end of layers -->'];

/** Folder of src → folders it imports, tests left out. */
function importsOfFolders() {
  const folderOf = (file) => file.match(/^src\/([^/]+)\//)?.[1];
  const folders = new Map();
  for (const { from, to } of readImports(root, 'src', { without: (file) => file.endsWith('.test.ts') })) {
    const [folder, other] = [folderOf(from), folderOf(to)];
    if (!folder) continue;
    const found = folders.get(folder) ?? new Set();
    folders.set(folder, found);
    if (other && other !== folder) found.add(other);
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
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
  const imports = importsOfFolders();
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
