import { UserError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { assignFolds } from '../dataset/splits.ts';
import { randomFor } from '../stats/random.ts';

export interface FoldInput {
  readonly samples: readonly Sample[];
  /** Hash of every image file. */
  readonly hashOf: (path: string) => string | undefined;
  readonly folds: number;
  readonly seed: number;
}

export interface Folds {
  readonly folds: number;
  readonly foldOf: ReadonlyMap<string, number>;
  /** By sample id; samples with the same value stay in one fold. */
  readonly linkedTo: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/**
 * The fold of every sample. What must not be torn apart stays together: samples of one `group`, the scenarios of one
 * photograph, and samples that show the very same file (several objects of a picture, a photograph kept twice).
 */
export function planFolds({ samples, hashOf, folds, seed }: FoldInput): Folds {
  const sets = disjointSets();
  for (const { id, group, image, scenario } of samples) {
    const node = `sample ${id}`;
    if (group !== undefined) sets.join(node, `group ${group}`);
    const hash = scenario === undefined || scenario === 'original' ? hashOf(image) : undefined;
    if (hash !== undefined) sets.join(node, `file ${hash}`);
  }
  const together = samples.map(({ id, label, kind }) => ({ id, label, kind, group: sets.of(`sample ${id}`) }));
  const linkedByLabel = new Map<string, Set<string>>();
  for (const { label = '', group } of together)
    linkedByLabel.set(label, (linkedByLabel.get(label) ?? new Set()).add(group));
  const count = new Set(together.map(({ group }) => group)).size;
  if (count < folds)
    throw new UserError(
      `${folds} folds need at least ${folds} photographs or groups that can be parted, and there are ${count}; use --folds ${Math.max(2, count)} or fewer`,
    );
  const small = [...linkedByLabel].filter(([, own]) => own.size < folds).sort(([, a], [, b]) => a.size - b.size);
  const warnings = small.length
    ? [
        `${small.length === 1 ? 'one class has' : `${small.length} classes have`} fewer photographs or groups than the ${folds} folds (${small
          .slice(0, 3)
          .map(([label, own]) => `${label}: ${own.size}`)
          .join(
            ', ',
          )}${small.length > 3 ? ', …' : ''}): not every fold tests ${small.length === 1 ? 'it' : 'them'}; --folds ${Math.max(2, small[0][1].size)} would`,
      ]
    : [];
  const linkedTo = new Map(together.map(({ id, group }) => [id, group]));
  return { folds, foldOf: assignFolds(together, { folds, seed }), linkedTo, warnings };
}

/**
 * The backgrounds of each fold, none in two: a sample is put before pictures of its own fold only, so that no test image
 * has a background that a training image has. Files with the same content count as one.
 */
export function partitionBackgrounds(
  files: readonly string[],
  { folds, seed, hashOf }: { folds: number; seed: number; hashOf: (path: string) => string | undefined },
): string[][] {
  const byContent = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const key = hashOf(file) ?? file;
    byContent.set(key, [...(byContent.get(key) ?? []), file]);
  }
  if (byContent.size < folds)
    throw new UserError(
      `${folds} folds need at least ${folds} different backgrounds, since no two folds may share one, and --backgrounds has ${byContent.size}; add pictures or use --folds ${Math.max(2, byContent.size)}`,
    );
  const parts: string[][] = Array.from({ length: folds }, () => []);
  for (const [i, same] of randomFor(seed, 'backgrounds of folds')
    .shuffle([...byContent.values()])
    .entries())
    parts[i % folds].push(...same);
  return parts.map((part) => part.sort());
}

/**
 * The folds that choose the strength when `held` is held out: about a fifth of the others, the next ones in turn, whole,
 * so that their backgrounds too are unseen. None with two folds, where the one left must be split itself.
 */
export function innerFolds(held: number, folds: number): number[] {
  const others = held < 0 ? folds : folds - 1;
  if (others < 2) return [];
  const count = Math.max(1, Math.round(others / 5));
  return Array.from({ length: count }, (_, i) => (held + 1 + i) % folds);
}

function disjointSets() {
  const parents = new Map<string, string>();
  const of = (node: string): string => {
    let root = node;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(node, root);
    return root;
  };
  return {
    of,
    join(a: string, b: string) {
      const [x, y] = [of(a), of(b)].sort();
      parents.set(y, x);
    },
  };
}
