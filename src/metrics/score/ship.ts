import { listWords, pointsOf } from '../../contracts/numbers.ts';
import type { Score } from '../../contracts/score.ts';
import { tQuantile, tSurvival } from '../../stats/student-t.ts';
import { accuracies, accuracyInfluence, type ClusterSums } from '../table/cluster-sums.ts';

type Ship = NonNullable<Score['ship']>;

/** One model's answers under the scenarios that count, over the clusters all models share. */
export interface ShipCandidate {
  readonly model: string;
  readonly sums: ClusterSums;
}

/**
 * "Which may I ship?" The model best on average over the shifts is the reference; another may be shipped in its place
 * where it is shown to be worse by less than the margin: one-sided 95 % limit of the paired difference, by clusters.
 */
export function shipAnswer(candidates: readonly ShipCandidate[], margin: number, alpha = 0.05): Ship | null {
  if (candidates.length < 2) return null;
  const measured = candidates.map(({ model, sums }) => {
    const own = accuracies(sums);
    const influence = accuracyInfluence(sums);
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    const perCluster = new Float64Array(sums.clusters);
    for (let g = 0; g < sums.clusters; g++)
      for (let c = 0; c < sums.cells; c++) perCluster[g] += influence[g * sums.cells + c] / sums.cells;
    return { model, mean, perCluster };
  });
  const reference = measured.reduce((best, one) => (one.mean > best.mean ? one : best));
  const models = measured.map(({ model, mean, perCluster }) => {
    const clusters = perCluster.length;
    let variance = 0;
    for (let g = 0; g < clusters; g++) variance += (reference.perCluster[g] - perCluster[g]) ** 2;
    // Two models that never disagree still leave the rule of three's doubt: half a cluster of disagreement at least.
    const floor = model === reference.model ? 0 : 0.5 / clusters ** 2;
    const se = Math.sqrt(Math.max(floor, (variance * clusters) / Math.max(1, clusters - 1)));
    const difference = reference.mean - mean;
    const upper = difference - se * tQuantile(alpha, Math.max(1, clusters - 1));
    const p = se > 0 ? tSurvival((margin - difference) / se, Math.max(1, clusters - 1)) : 0;
    return { model, difference, upper, p, ship: upper <= margin };
  });
  const others = models.filter(({ model }) => model !== reference.model);
  const may = others.filter(({ ship }) => ship).map(({ model }) => model);
  const percent = `${pointsOf(margin)} points`;
  const words = may.length
    ? `${reference.model} is best over the shifts; ${listWords(may)} may be shipped in its place: shown to be worse by less than ${percent}.`
    : `${reference.model} is best over the shifts; no other model is shown to stay within ${percent} of it.`;
  return { margin, reference: reference.model, models, words };
}
