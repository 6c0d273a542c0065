import type { HeadDifference, HeadSummary, MatrixCell } from '../contracts/training.ts';
import { holm } from '../stats/multiple.ts';
import { correctedT } from './corrected-t.ts';
import type { FittedHead } from './fit-heads.ts';
import { loadHead } from './head-store.ts';
import type { HeadTally } from './predict-heads.ts';

const original = 'original';
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Standard deviation over folds (n − 1). */
function spreadOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

const foldAccuracies = ({ right, count }: Pick<HeadTally, 'right' | 'count'>): number[] =>
  right.flatMap((own, fold) => (count[fold] ? [own / count[fold]] : []));

export function matrixOf(tallies: readonly HeadTally[]): MatrixCell[] {
  return tallies.map((tally) => ({
    trained: tally.trained,
    tested: tally.tested,
    n: sum(tally.count),
    accuracy: sum(tally.right) / sum(tally.count),
    foldSpread: spreadOf(foldAccuracies(tally)),
  }));
}

/** Every head where it was trained: on held-out images of its own scenario, or of all scenarios of its mixture. */
export async function summariseHeads(
  run: string,
  heads: readonly FittedHead[],
  tallies: readonly HeadTally[],
): Promise<HeadSummary[]> {
  return Promise.all(
    heads.map(async ({ name, scenarios, keys }) => {
      const own = pooled(tallies.filter(({ trained, tested }) => trained === name && scenarios.includes(tested)));
      const trained = await Promise.all(keys.map((key) => loadHead(run, key)));
      return {
        trained: name,
        on: [...scenarios],
        n: sum(own.count),
        accuracy: sum(own.right) / sum(own.count),
        foldSpread: spreadOf(foldAccuracies(own)),
        folds: foldAccuracies(own),
        strengths: trained.map(({ head }) => head.strength),
        converged: trained.every(({ converged }) => converged),
      };
    }),
  );
}

function pooled(tallies: readonly HeadTally[]): Pick<HeadTally, 'right' | 'count'> {
  const add = (lists: readonly (readonly number[])[]) =>
    (lists[0] ?? []).map((_, fold) => sum(lists.map((list) => list[fold])));
  return { right: add(tallies.map(({ right }) => right)), count: add(tallies.map(({ count }) => count)) };
}

/**
 * What training in a scenario changes, fold by fold: its head where it was trained against the head of `original` on
 * `original` (the deviations behind the inner variance) and against the head of `original` in the same scenario (what
 * training there gains). Mixtures are compared with the head of `original` in every scenario. Holm within each family.
 */
export function differencesOf(
  tallies: readonly HeadTally[],
  heads: readonly { name: string }[],
  folds: number,
): HeadDifference[] {
  const at = (trained: string, tested: string) =>
    tallies.find((tally) => tally.trained === trained && tally.tested === tested);
  const compare = (trained: string, tested: string, against: HeadDifference['against']): HeadDifference | undefined => {
    const [a, b] = [at(trained, tested), at(against.trained, against.tested)];
    if (!a || !b) return undefined;
    const pairs = a.count.flatMap((count, fold) =>
      count && b.count[fold] ? [a.right[fold] / count - b.right[fold] / b.count[fold]] : [],
    );
    const { difference, spread, ...test } = correctedT(pairs, 1 / (folds - 1));
    return { trained, tested, against, difference, foldSpread: spread, ...test, pHolm: null };
  };
  const scenarios = [...new Set(tallies.map(({ tested }) => tested))];
  const others = scenarios.filter((scenario) => scenario !== original && at(scenario, scenario));
  const mixtures = heads.map(({ name }) => name).filter((name) => !scenarios.includes(name));
  const families = [
    others.map((name) => compare(name, name, { trained: original, tested: original })),
    others.map((name) => compare(name, name, { trained: original, tested: name })),
    ...mixtures.map((name) => scenarios.map((tested) => compare(name, tested, { trained: original, tested }))),
  ];
  return families.flatMap((family) => {
    const known = family.filter((difference) => difference !== undefined);
    const adjusted = holm(known.map(({ p }) => p ?? Number.NaN));
    return known.map((difference, i) => ({ ...difference, pHolm: difference.p === null ? null : adjusted[i] }));
  });
}
