import { holm } from './multiple.ts';
import { tQuantile, tTwoSided } from './student-t.ts';

export interface ClusterFailure {
  readonly fails: number;
  readonly elsewhere: number;
  readonly ratio: number | null;
  readonly ci: readonly [number, number] | null;
  readonly p: number | null;
  readonly pHolm: number | null;
}

interface Variants {
  /** Share of models that are wrong, by variant. */
  readonly fails: ArrayLike<number>;
  /** Its sample: variants of one photograph are not independent. */
  readonly sample: ArrayLike<number>;
  readonly cluster: ArrayLike<number>;
}

/**
 * How much more often models fail in each cluster than outside it: the ratio of two means, with a standard error of its
 * logarithm from what every photograph adds to either (linearised, clustered by photograph). Clusters come from
 * features alone, never from the answers, so that the test is valid: the same answers do not choose the clusters.
 */
export function clusterFailures({ fails, sample, cluster }: Variants, clusters: number): ClusterFailure[] {
  const found = Array.from({ length: clusters }, (_, c) => compareOne(c, fails, sample, cluster));
  const corrected = holm(found.map(({ p }) => p ?? Number.NaN));
  return found.map((one, c) => ({ ...one, pHolm: Number.isNaN(corrected[c]) ? null : corrected[c] }));
}

function compareOne(c: number, fails: ArrayLike<number>, sample: ArrayLike<number>, cluster: ArrayLike<number>) {
  const count = [0, 0];
  const sum = [0, 0];
  for (let i = 0; i < fails.length; i++) {
    const side = cluster[i] === c ? 0 : 1;
    count[side]++;
    sum[side] += fails[i];
  }
  const [inside, outside] = [0, 1].map((side) => (count[side] ? sum[side] / count[side] : 0));
  const unknown = { fails: inside, elsewhere: outside, ratio: null, ci: null, p: null };
  if (!inside || !outside) return unknown;
  const influence = new Map<number, number>();
  for (let i = 0; i < fails.length; i++) {
    const isIn = cluster[i] === c;
    const part = isIn ? (fails[i] - inside) / (count[0] * inside) : -(fails[i] - outside) / (count[1] * outside);
    influence.set(sample[i], (influence.get(sample[i]) ?? 0) + part);
  }
  const photographs = new Set<number>();
  for (let i = 0; i < fails.length; i++) if (cluster[i] === c) photographs.add(sample[i]);
  const df = photographs.size - 1;
  if (df < 1) return unknown;
  let variance = 0;
  for (const part of influence.values()) variance += part * part;
  const se = Math.sqrt((variance * influence.size) / (influence.size - 1));
  if (!(se > 0)) return unknown;
  const log = Math.log(inside / outside);
  const reach = -tQuantile(0.025, df) * se;
  return {
    fails: inside,
    elsewhere: outside,
    ratio: inside / outside,
    ci: [Math.exp(log - reach), Math.exp(log + reach)] as const,
    p: tTwoSided(log / se, df),
  };
}
