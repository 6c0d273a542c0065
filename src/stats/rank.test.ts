import { describe, expect, it } from 'vitest';
import reference from '../../test/fixtures/stats/tests.json' with { type: 'json' };
import scipy from '../../test/fixtures/stats/tests-scipy.json' with { type: 'json' };
import { bootstrap, drawCounts, drawStratified, percentileInterval } from './bootstrap.ts';
import { dip, dipTest } from './dip.ts';
import { kurtosis, mean, skewness, sortedQuantile, standardDeviation, variance } from './moments.ts';
import { randomFor } from './random.ts';
import { kendall, ranks, spearman } from './rank.ts';

type Pair = [number[], number[], number, number];

describe('rank correlation', () => {
  it('agrees with R', () => {
    const { x, y, tx, ty } = reference.rank;
    expect(spearman(x, y).statistic).toBeCloseTo(reference.rank.spearman[0], 13);
    expect(kendall(x, y).statistic).toBeCloseTo(reference.rank.kendall[0], 13);
    expect(kendall(x, y).p).toBeCloseTo(reference.rank.kendallP[0], 13);
    expect(spearman(tx, ty).statistic).toBeCloseTo(reference.rank.tSpearman[0], 13);
    expect(kendall(tx, ty).statistic).toBeCloseTo(reference.rank.tKendall[0], 13);
    expect(kendall(tx, ty).p).toBeCloseTo(reference.rank.tKendall[1], 12);
  });

  it('agrees with SciPy, P too', () => {
    for (const [x, y, statistic, p] of scipy.spearman as Pair[]) {
      expect(spearman(x, y).statistic).toBeCloseTo(statistic, 13);
      expect(spearman(x, y).p).toBeCloseTo(p, 12);
    }
    for (const [x, y, statistic, p] of scipy.kendall as Pair[]) {
      expect(kendall(x, y).statistic).toBeCloseTo(statistic, 13);
      expect(kendall(x, y).p).toBeCloseTo(p, 12);
    }
  });

  it('gives ties their mean rank', () => {
    expect(Array.from(ranks([5, 1, 5, 3]))).toEqual([3.5, 1, 3.5, 2]);
  });
});

describe('moments, dip and quantiles', () => {
  for (const [name, sample] of Object.entries(scipy.samples)) {
    it(`agree with SciPy on ${name}`, () => {
      expect(skewness(sample.x)).toBeCloseTo(sample.skewness, 12);
      expect(kurtosis(sample.x)).toBeCloseTo(sample.kurtosis, 12);
      expect(variance(sample.x)).toBeCloseTo(sample.variance, 12);
      expect(dip(sample.x)).toBeCloseTo(sample.dip, 10);
    });
  }

  it("agree with R's quantile", () => {
    const { x, at, q } = reference.quantile;
    const sorted = Float64Array.from(x).sort();
    for (const [i, p] of at.entries()) expect(sortedQuantile(sorted, p)).toBeCloseTo(q[i], 12);
  });

  it('keep their digits far from zero', () => {
    expect(variance([1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4])).toBeCloseTo(5 / 3, 12);
  });

  it('the dip test tells two heaps from one', () => {
    expect(dipTest(scipy.samples.bimodal.x).p).toBeLessThan(0.01);
    expect(dipTest(scipy.samples.uniform.x).p).toBeGreaterThan(0.05);
    expect(dipTest([1, 2, 3]).p).toBe(1);
  });
});

describe('bootstrap', () => {
  it('percentile intervals agree with NumPy', () => {
    const { replicates, interval } = scipy.percentile;
    expect(percentileInterval(replicates)[0]).toBeCloseTo(interval[0], 12);
    expect(percentileInterval(replicates)[1]).toBeCloseTo(interval[1], 12);
  });

  it('draws as many units as there are, within strata where told', () => {
    const counts = new Uint16Array(10);
    drawCounts(randomFor('a'), counts);
    expect(counts.reduce((sum, c) => sum + c, 0)).toBe(10);
    drawStratified(
      randomFor('a'),
      [
        [0, 1, 2],
        [3, 4, 5, 6, 7, 8, 9],
      ],
      counts,
    );
    expect(counts[0] + counts[1] + counts[2]).toBe(3);
  });

  it('finds the standard error of a mean, the same with the same seed', () => {
    const x = scipy.samples.exponential.x;
    const average = (counts: Uint16Array) => [counts.reduce((sum, c, i) => sum + c * x[i], 0) / x.length];
    const run = () => bootstrap(x.length, average, { random: randomFor('se'), replicates: 2000 }).map((row) => row[0]);
    const expected = (standardDeviation(x) / Math.sqrt(x.length)) * Math.sqrt(1 - 1 / x.length);
    expect(standardDeviation(run()) / expected).toBeCloseTo(1, 1);
    expect(mean(run())).toBeCloseTo(mean(x), 1);
    expect(run()).toEqual(run());
  });
});
