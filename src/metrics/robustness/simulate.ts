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

/** How often the interval of the robustness score holds the truth: images drawn anew, all answers to one image correlated. */
export function simulateCoverage(design: Design, { replicates, seed }: { replicates: number; seed: number }): Coverage {
  const { images, accuracy, drops, innerDrops = [], correlation } = design;
  const random = randomFor('coverage', seed);
  const share = (drop: number) => Math.min(1, Math.max(0, accuracy - drop));
  const shares = [accuracy, ...drops.map(share), ...innerDrops.map(share)];
  const limits = shares.map((p) =>
    p <= 0 ? Number.NEGATIVE_INFINITY : p >= 1 ? Number.POSITIVE_INFINITY : normalQuantile(p),
  );
  const cells = shares.length;
  const sums: ClusterSums = {
    clusters: images,
    cells,
    right: new Float32Array(images * cells),
    count: new Float32Array(images * cells).fill(1),
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
    draw(random, sums, limits, correlation);
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

function draw(random: Random, { clusters, cells, right }: ClusterSums, limits: readonly number[], correlation: number) {
  const [common, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  for (let g = 0, at = 0; g < clusters; g++) {
    const difficulty = common * random.normal();
    for (let c = 0; c < cells; c++, at++) right[at] = difficulty + own * random.normal() < limits[c] ? 1 : 0;
  }
}
