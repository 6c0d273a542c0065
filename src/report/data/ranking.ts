import { bootstrap, percentileInterval } from '../../stats/bootstrap.ts';
import { randomFor } from '../../stats/random.ts';
import { type Answers, originalScenario, wordAt } from './answers.ts';

export interface Ranked {
  readonly model: string;
  /** Mean of the accuracies of all scenarios but `original`. */
  readonly edited: number;
  readonly ci: readonly [number, number] | null;
  /** Share of the resamples in which this model comes first. */
  readonly first: number;
}

interface RankOptions {
  /** Which scenarios count. */
  readonly counts?: (scenario: string) => boolean;
  readonly replicates?: number;
  readonly seed?: number;
}

/**
 * Models by their mean accuracy over all edits, which is what is left of a model when the scene changes. How certain the
 * order is comes from drawing the source images (or groups) anew: all models and scenarios of an image stay together, so
 * what they share cancels out.
 */
export function rankModels(
  answers: Answers,
  { counts = () => true, replicates, seed = 0 }: RankOptions = {},
): Ranked[] {
  const { model, scenario, sample, group } = answers;
  const units = new Map<string, number>();
  const cells = new Map<string, { model: string; right: Map<number, number>; n: Map<number, number> }>();
  for (const row of answers.rows) {
    const name = wordAt(scenario, row);
    if (name === originalScenario || !counts(name)) continue;
    const cluster = wordAt(group, row) || `sample ${wordAt(sample, row)}`;
    const unit = units.get(cluster) ?? units.size;
    units.set(cluster, unit);
    const key = JSON.stringify([wordAt(model, row), name]);
    const cell = cells.get(key) ?? { model: wordAt(model, row), right: new Map(), n: new Map() };
    cells.set(key, cell);
    cell.n.set(unit, (cell.n.get(unit) ?? 0) + 1);
    if (answers.correct[row]) cell.right.set(unit, (cell.right.get(unit) ?? 0) + 1);
  }
  const names = [...new Set([...cells.values()].map((cell) => cell.model))];
  const dense = [...cells.values()].map((cell) => ({
    model: names.indexOf(cell.model),
    right: toDense(cell.right, units.size),
    n: toDense(cell.n, units.size),
  }));
  const means = (weights: ArrayLike<number>): Float64Array => {
    const sums = new Float64Array(names.length);
    const scenarios = new Float64Array(names.length);
    for (const cell of dense) {
      let [right, n] = [0, 0];
      for (let u = 0; u < weights.length; u++) {
        right += weights[u] * cell.right[u];
        n += weights[u] * cell.n[u];
      }
      if (n > 0) {
        sums[cell.model] += right / n;
        scenarios[cell.model]++;
      }
    }
    return sums.map((sum, m) => sum / scenarios[m]);
  };
  if (!units.size) return [];
  const estimate = means(new Uint8Array(units.size).fill(1));
  const drawn = bootstrap(units.size, means, {
    random: randomFor(seed, 'report', 'ranking'),
    replicates: replicates ?? affordable(units.size * dense.length),
  });
  const first = new Float64Array(names.length);
  for (const row of drawn) {
    const best = Math.max(...row);
    const winners = names.flatMap((_, m) => (row[m] === best ? [m] : []));
    for (const m of winners) first[m] += 1 / winners.length / drawn.length;
  }
  return names
    .map((name, m) => ({
      model: name,
      edited: estimate[m],
      ci: units.size > 1 && drawn.length ? percentileInterval(drawn.map((row) => row[m])) : null,
      first: first[m],
    }))
    .sort((a, b) => b.edited - a.edited || (a.model < b.model ? -1 : 1));
}

/** A thousand resamples, or fewer, down to two hundred, where they would take more than about a second. */
const affordable = (work: number): number => Math.max(200, Math.min(1000, Math.floor(5e8 / work)));

const toDense = (counts: ReadonlyMap<number, number>, length: number): Float64Array =>
  Float64Array.from({ length }, (_, unit) => counts.get(unit) ?? 0);
