// What the files of src import, read from their text: the format that is checked beside this writes an import in one way only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const clause =
  /^(?:import|export)(?<type> type)?\b[^;'"`]*?\bfrom '(?<from>[^']+)'|^import '(?<alone>[^']+)'|\bimport\(\s*'(?<later>[^']+)'/gm;

/** Where a text imports from, and whether types alone. */
function importsIn(text) {
  return [...text.matchAll(clause)].map(({ groups: { type, from, alone, later } }) => ({
    name: from ?? alone ?? later,
    isType: type !== undefined,
  }));
}

/**
 * Every import of the TypeScript files below `folder` and of what they lead to: `from` and `to` are paths from `root`; `to` is the
 * name itself where a package or a part of Node is imported.
 */
export function readImports(root, folder = 'src', { without = () => false } = {}) {
  const slashed = (path) => relative(root, path).split(sep).join('/');
  const waiting = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => slashed(join(entry.parentPath, entry.name)))
    .filter((file) => !without(file));
  const seen = new Set(waiting);
  const imports = [];
  for (const from of waiting) {
    for (const { name, isType } of importsIn(readFileSync(join(root, from), 'utf8'))) {
      if (!name.startsWith('.')) {
        imports.push({ from, to: name, isType });
        continue;
      }
      const to = slashed(join(root, dirname(from), name));
      if (!existsSync(join(root, to)) || without(to)) continue;
      imports.push({ from, to, isType });
      if (seen.has(to) || !/\.[cm]?[jt]s$/.test(to)) continue;
      seen.add(to);
      waiting.push(to);
    }
  }
  return imports;
}
