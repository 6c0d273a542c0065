// `npm run layers`: the import direction of the design. Each tier may import itself (its own folder) and the tiers before it.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readImports } from './imports.mjs';

const tiers = [
  ['contracts'],
  ['storage'],
  ['formats'],
  ['labels', 'net', 'image', 'stats'],
  ['dataset', 'scenarios', 'models', 'generate'],
  ['run'],
  ['metrics', 'train', 'mine', 'explain', 'review'],
  ['report'],
  ['server', 'library'],
  ['cli'],
];

const folderOf = (file) => file.match(/^src\/([^/]+)\//)?.[1];
const tierOf = (folder) => tiers.findIndex((tier) => tier.includes(folder));

function upwards({ from, to }) {
  const [own, other] = [folderOf(from), folderOf(to)];
  const [mine, its] = [tierOf(own), tierOf(other)];
  return own !== other && mine >= 0 && its >= mine;
}

const beyondZod = ({ from, to }) =>
  from.startsWith('src/contracts/') &&
  !from.endsWith('.test.ts') &&
  !to.startsWith('src/contracts/') &&
  !/^zod(\/|$)/.test(to);

/** What is left when files that lead to none of the others are taken away, again and again: circles, and ways to them. */
function withoutEnds(imports) {
  const importing = new Set(imports.map(({ from }) => from));
  const left = imports.filter(({ to }) => importing.has(to));
  return left.length < imports.length ? withoutEnds(left) : left;
}

/** Imports that close a circle. A circle of types alone closes none: nothing of it is loaded. */
function closing(imports) {
  const left = withoutEnds(imports);
  const next = new Map(left.map(({ from }) => [from, []]));
  for (const { from, to } of left) next.get(from).push(to);
  const reach = (file, reached = new Set()) => {
    for (const to of next.get(file)) if (!reached.has(to)) reach(to, reached.add(to));
    return reached;
  };
  return left.filter(({ from, to, isType }) => !isType && reach(to).has(from));
}

/** One line for every import that the design forbids. */
export function findFaults(root) {
  const imports = readImports(root, 'src', { without: (file) => file.startsWith('src/image/kernels/assembly/') });
  if (!imports.length) return [`${root}: no import was found below src`];
  const lines = (found, reason) => found.map(({ from, to }) => `${from} → ${to}: ${reason}`);
  return [
    ...lines(imports.filter(upwards), 'imports go to the tiers before alone'),
    ...lines(imports.filter(beyondZod), 'contracts import zod alone'),
    ...lines(closing(imports), 'leads back to where it came from'),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = findFaults(fileURLToPath(new URL('..', import.meta.url)));
  for (const fault of faults) console.error(fault);
  if (faults.length) process.exitCode = 1;
}
