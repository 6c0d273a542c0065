import type { Random } from '../../contracts/random.ts';
import { normalQuantile } from '../../stats/normal.ts';
import { randomFor } from '../../stats/random.ts';
import { deviationsByCluster, robustnessOf, type ScoreParts } from '../score/robustness.ts';
import { accuracies, type ClusterSums } from '../table/cluster-sums.ts';

/** A made-up model: its accuracy, what each scenario takes off it, and how alike the scenarios are image by image. */
export interface Design {
  readonly images: number;
  readonly accuracy: number;
  readonly drops: readonly number[];
  /** Heads trained in-scenario: how far each stays below `accuracy`. */
  readonly innerDrops?: readonly number[];
  /** Correlation of the hidden difficulty of one image over the scenarios. */
  readonly correlation: number;
  /** Classes drawn anew each time, of equal size, differing by this many standard deviations of an image's difficulty. */
  readonly classes?: { readonly count: number; readonly spread: number };
}

export interface Coverage {
  readonly truth: number;
  /** Share of the intervals that hold the true score; and those that lie above it, and below it. */
  readonly covered: number;
  readonly above: number;
  readonly below: number;
  readonly meanScore: number;
  readonly meanDebiased: number;
  readonly meanWidth: number;
}

/**
 * How often the interval of the robustness score holds the truth: images drawn anew, all answers to one image correlated;
 * with `classes`, the interval that takes classes for the random sample.
 */
export function simulateCoverage(design: Design, { replicates, seed }: { replicates: number; seed: number }): Coverage {
  const { images, accuracy, drops, innerDrops = [], correlation, classes } = design;
  const random = randomFor('coverage', seed);
  const share = (drop: number) => Math.min(1, Math.max(0, accuracy - drop));
  const shares = [accuracy, ...drops.map(share), ...innerDrops.map(share)];
  const limits = shares.map((p) =>
    p <= 0 ? Number.NEGATIVE_INFINITY : p >= 1 ? Number.POSITIVE_INFINITY : normalQuantile(p),
  );
  const cells = shares.length;
  const clusters = classes?.count ?? images;
  const size = images / clusters;
  const sums: ClusterSums = {
    clusters,
    cells,
    right: new Float32Array(clusters * cells),
    count: new Float32Array(clusters * cells).fill(size),
  };
  const place = (from: number) => (_: unknown, i: number) => ({ scenario: `s${i}`, cell: from + i });
  const parts: ScoreParts = {
    mu: { cell: 0 },
    cross: drops.map(place(1)),
    inner: innerDrops.map(place(1 + drops.length)),
  };
  const meanSquare = (from: number, to: number) =>
    to > from ? shares.slice(from, to).reduce((sum, p) => sum + (p - accuracy) ** 2, 0) / (to - from) : 0;
  const truth = 1 - meanSquare(1, 1 + drops.length) - meanSquare(1 + drops.length, cells);
  let [above, below, score, debiased, width] = [0, 0, 0, 0, 0];
  for (let r = 0; r < replicates; r++) {
    draw(random, sums, { limits, correlation, size, spread: classes?.spread ?? 0 });
    const found = robustnessOf({ parts, accuracy: accuracies(sums), deviations: deviationsByCluster(parts, sums) });
    if (!found) throw new Error('a design without scenarios has no score');
    // Without any error nothing can be said beyond the estimate; it counts as its own interval.
    const [low, high] = found.ci ?? [found.score, found.score];
    if (low > truth + 1e-12) above++;
    if (high < truth - 1e-12) below++;
    score += found.score / replicates;
    debiased += (found.debiased ?? found.score) / replicates;
    width += (high - low) / replicates;
  }
  return {
    truth,
    covered: 1 - (above + below) / replicates,
    above: above / replicates,
    below: below / replicates,
    meanScore: score,
    meanDebiased: debiased,
    meanWidth: width,
  };
}

interface SimulatedAnswers {
  readonly limits: readonly number[];
  readonly correlation: number;
  readonly size: number;
  readonly spread: number;
}

/** A class differs from the others in general, and half as much again in each scenario by itself. */
function draw(
  random: Random,
  { clusters, cells, right }: ClusterSums,
  { limits, correlation, size, spread }: SimulatedAnswers,
) {
  const [common, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  const total = Math.sqrt(1 + 1.25 * spread * spread);
  right.fill(0);
  for (let g = 0; g < clusters; g++) {
    const general = spread && spread * random.normal();
    const special = limits.map(() => spread && 0.5 * spread * random.normal());
    for (let i = 0; i < size; i++) {
      const difficulty = general + common * random.normal();
      for (let c = 0; c < cells; c++)
        if (difficulty + special[c] + own * random.normal() < limits[c] * total) right[g * cells + c]++;
    }
  }
}
