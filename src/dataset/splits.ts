import type { Sample } from '../contracts/sample.ts';
import { randomFor } from '../stats/random.ts';

type Countable = Pick<Sample, 'id' | 'label' | 'group' | 'kind'>;

/**
 * Fewer samples, the same ones for the same seed whatever the order of the list: `sample` of each class, `limit` in all,
 * taken from the classes in turn. Counted in source photographs: a photograph keeps all its scenarios, and a smaller limit
 * gives a part of what a larger one gives. The order of the list is kept.
 */
export function selectSamples<T extends Countable>(
  samples: readonly T[],
  { limit, sample, seed = 0 }: { limit?: number; sample?: number; seed?: number } = {},
): T[] {
  if (limit === undefined && sample === undefined) return [...samples];
  const byClass = new Map<string, Set<string>>();
  for (const { id, label = '' } of samples) {
    const ids = byClass.get(label);
    if (ids) ids.add(id);
    else byClass.set(label, new Set([id]));
  }
  const queues = [...byClass]
    .sort(([a], [b]) => compare(a, b))
    .map(([label, ids]) =>
      randomFor(seed, 'select', label)
        .shuffle([...ids].sort(compare))
        .slice(0, sample),
    );
  const turns = queues.reduce((most, queue) => Math.max(most, queue.length), 0);
  const inTurn = Array.from({ length: turns }, (_, turn) =>
    queues.flatMap((queue) => (turn < queue.length ? [queue[turn]] : [])),
  ).flat();
  const chosen = new Set(inTurn.slice(0, limit));
  return samples.filter(({ id }) => chosen.has(id));
}

/**
 * The fold (0 … folds − 1) of every sample id. Samples of one `group` stay together, and so do the scenarios of one
 * photograph; classes, and the kinds within them, are spread evenly, exactly so (±1) where every group is one photograph. Depends on the ids, labels,
 * groups and the seed alone, not on the order of the list.
 */
export function assignFolds(
  samples: readonly Countable[],
  { folds, seed = 0 }: { folds: number; seed?: number },
): Map<string, number> {
  const groups = new Map<string, Group>();
  const labelTotals = new Map<string, number>();
  const placed = new Set<string>();
  for (const { id, label: name = '', group, kind } of samples) {
    if (placed.has(id)) continue;
    placed.add(id);
    const label = kind === undefined ? name : `${name}\u0000${kind}`;
    const key = group === undefined ? `id ${id}` : `group ${group}`;
    const known: Group = groups.get(key) ?? { key, ids: [], labels: new Map() };
    groups.set(key, known);
    known.ids.push(id);
    known.labels.set(label, (known.labels.get(label) ?? 0) + 1);
    labelTotals.set(label, (labelTotals.get(label) ?? 0) + 1);
  }
  // Large groups first: they are the hardest to fit in. Among equals, chance decides, seeded.
  const order = randomFor(seed, 'folds')
    .shuffle([...groups.values()].sort((a, b) => compare(a.key, b.key)))
    .sort((a, b) => b.ids.length - a.ids.length);
  const state = Array.from({ length: folds }, () => ({ size: 0, labels: new Map<string, number>() }));
  const foldOf = new Map<string, number>();
  for (const group of order) {
    const fold = bestFold(state, group, labelTotals);
    for (const id of group.ids) foldOf.set(id, fold);
    state[fold].size += group.ids.length;
    for (const [label, count] of group.labels)
      state[fold].labels.set(label, (state[fold].labels.get(label) ?? 0) + count);
  }
  return foldOf;
}

interface Group {
  readonly key: string;
  readonly ids: string[];
  readonly labels: Map<string, number>;
}

/** Where the group adds least to the sum of squared class counts, each class weighted by its size; then the smallest fold. */
function bestFold(
  state: readonly { size: number; labels: Map<string, number> }[],
  group: Group,
  totals: Map<string, number>,
): number {
  let best = 0;
  let bestCost = Number.POSITIVE_INFINITY;
  state.forEach(({ size, labels }, fold) => {
    let cost = 0;
    for (const [label, count] of group.labels)
      cost += (count * (2 * (labels.get(label) ?? 0) + count)) / (totals.get(label) as number);
    const smaller = cost === bestCost && size < state[best].size;
    if (cost < bestCost - 1e-12 || smaller) {
      best = fold;
      bestCost = cost;
    }
  });
  return best;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
