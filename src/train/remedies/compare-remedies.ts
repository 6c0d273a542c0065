import type { RemedyComparison, RemedyResult, RemedyRow } from '../../contracts/remedies.ts';
import { partOf } from '../../scenarios/registry.ts';
import { differenceByClusters } from '../../stats/cluster-mean.ts';
import { holm } from '../../stats/multiple.ts';
import { mcnemarExact, newcombePaired } from '../../stats/proportion.ts';
import { type Outcomes, type Pairs, pairOutcomes, type RemedyTrial } from './outcomes.ts';
import { remedySentences } from './remedy-sentences.ts';

export interface CompareRemediesInput {
  readonly model: string;
  readonly plain: string;
  readonly outcomes: Outcomes;
  readonly trials: readonly RemedyTrial[];
  /** Samples of one group are not independent. */
  readonly groupOf?: (sample: string) => string | undefined;
}

/** As in every score: the shifts alone. */
const counts = (scenario: string) => partOf(scenario) === 'shift';

/** Every remedy against the plain model, on the same pictures. */
export function compareRemedies({ model, plain, outcomes, trials, groupOf }: CompareRemediesInput): RemedyComparison {
  const clusterOf = (sample: string) => groupOf?.(sample) ?? sample;
  const grouped = [...outcomes.values()].some((own) =>
    [...own.keys()].some((sample) => groupOf?.(sample) !== undefined),
  );
  const compared = trials.map((trial) => {
    const pairs = pairOutcomes(outcomes, trial.outcomes);
    const rows = pairs.map((own) => rowOf(own, clusterOf));
    const corrected = holm(rows.map(({ p }) => p));
    const scenarios = rows.map((row, i): RemedyRow => ({ ...row, pHolm: corrected[i] }));
    return {
      trial,
      scenarios,
      overall: overallOf(
        pairs.filter(({ scenario }) => counts(scenario)),
        clusterOf,
      ),
    };
  });
  const corrected = holm(compared.map(({ overall }) => overall.p ?? Number.NaN));
  const remedies = compared.map(({ trial: { remedy, title, when }, scenarios, overall }, i): RemedyResult => {
    const pHolm = overall.p === null ? null : corrected[i];
    const shown = pHolm !== null && pHolm < 0.05;
    const verdict = !shown ? 'unclear' : overall.difference > 0 ? 'helps' : 'hurts';
    return { remedy, title, when, scenarios, overall: { ...overall, pHolm }, verdict };
  });
  const all = new Set([...outcomes.values()].flatMap((own) => [...own.keys()].map(clusterOf)));
  return {
    model,
    plain,
    remedies,
    clusters: { by: grouped ? 'group' : 'sample', count: all.size },
    words: remedySentences(remedies),
    notes: notesFor(
      outcomes,
      compared.map(({ trial, scenarios }) => ({ trial, scenarios })),
    ),
  };
}

function rowOf({ scenario, samples, plain, remedied }: Pairs, clusterOf: (sample: string) => string) {
  const table = [0, 0, 0, 0];
  for (let i = 0; i < plain.length; i++) table[2 * remedied[i] + plain[i]]++;
  const [neither, lost, gained, both] = table;
  const n = plain.length;
  const difference = (gained - lost) / n;
  const clusters = new Set(samples.map(clusterOf));
  const ci =
    clusters.size === n
      ? newcombePaired(both, gained, lost, neither)
      : byClusters([{ scenario, samples, plain, remedied }], clusterOf).ci;
  return {
    scenario,
    pairs: n,
    plain: (both + lost) / n,
    remedied: (both + gained) / n,
    difference,
    ci,
    gained,
    lost,
    p: mcnemarExact(gained, lost),
  };
}

function overallOf(pairs: readonly Pairs[], clusterOf: (sample: string) => string) {
  if (!pairs.length) return { scenarios: 0, plain: Number.NaN, remedied: Number.NaN, difference: 0, ci: null, p: null };
  const mean = (side: 'plain' | 'remedied') =>
    pairs.reduce((sum, own) => sum + own[side].reduce((right, one) => right + one, 0) / own[side].length, 0) /
    pairs.length;
  const { difference, ci, p } = byClusters(pairs, clusterOf);
  return { scenarios: pairs.length, plain: mean('plain'), remedied: mean('remedied'), difference, ci, p };
}

/** Mean difference over scenarios, by what each image (or group) adds to it over all of them. */
function byClusters(pairs: readonly Pairs[], clusterOf: (sample: string) => string) {
  const sums = pairs.map(
    ({ plain, remedied }) => remedied.reduce((sum, one, i) => sum + one - plain[i], 0) / plain.length,
  );
  const difference = sums.reduce((sum, one) => sum + one, 0) / pairs.length;
  const influence = new Map<string, number>();
  for (const [s, { samples, plain, remedied }] of pairs.entries())
    for (const [i, sample] of samples.entries()) {
      const adds = (remedied[i] - plain[i] - sums[s]) / (plain.length * pairs.length);
      const cluster = clusterOf(sample);
      influence.set(cluster, (influence.get(cluster) ?? 0) + adds);
    }
  const squares = [...influence.values()].reduce((sum, one) => sum + one * one, 0);
  return { difference, ...differenceByClusters(difference, squares, influence.size) };
}

function notesFor(
  outcomes: Outcomes,
  compared: readonly { trial: RemedyTrial; scenarios: readonly RemedyRow[] }[],
): string[] {
  const lacking = compared.flatMap(({ trial, scenarios }) => {
    const most = Math.max(0, ...scenarios.map(({ scenario, pairs }) => (outcomes.get(scenario)?.size ?? 0) - pairs));
    return most ? [{ title: trial.title, most }] : [];
  });
  if (!lacking.length) return [];
  const most = Math.max(...lacking.map((one) => one.most));
  return [
    `Up to ${most} ${most === 1 ? 'sample' : 'samples'} of a scenario could not be shown so (no mask, say): ${lacking.map(({ title }) => title).join('; ')}. Only what both have is compared.`,
  ];
}
