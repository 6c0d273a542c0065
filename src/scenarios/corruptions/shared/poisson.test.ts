import { describe, expect, it } from 'vitest';
import { chiSquaredSurvival } from '../../../stats/chi-squared.ts';
import { randomFor } from '../../../stats/random.ts';
import { poissonSampler } from './poisson.ts';

const draws = 200_000;

/** P(count = k), straight from the definition. */
function probability(mean: number, k: number): number {
  let log = -mean;
  for (let i = 1; i <= k; i++) log += Math.log(mean / i);
  return Math.exp(log);
}

/** Pearson's test against the true probabilities, over counts expected ten times or more and the two tails. */
function pearson(mean: number, counts: number[]): number {
  const cells: { seen: number; expected: number }[] = [];
  const rest = { seen: draws, expected: draws };
  for (let k = 0; k <= counts.length; k++) {
    const expected = draws * probability(mean, k);
    if (expected < 10) continue;
    cells.push({ seen: counts[k] ?? 0, expected });
    rest.seen -= counts[k] ?? 0;
    rest.expected -= expected;
  }
  if (rest.expected > 5) cells.push(rest);
  const statistic = cells.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0);
  return chiSquaredSurvival(statistic, cells.length - 1);
}

function tally(sample: () => number): number[] {
  const counts: number[] = [];
  for (let i = 0; i < draws; i++) {
    const k = sample();
    counts[k] = (counts[k] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

describe('poissonSampler', () => {
  it.each([0.02, 0.5, 3.7, 12, 60, 800])('has the moments and probabilities of a mean of %d', (mean) => {
    const random = randomFor('poisson', mean);
    const sampler = poissonSampler(mean);
    const counts = tally(() => sampler(random.uniform()));
    const first = counts.reduce((sum, count, k) => sum + count * k, 0) / draws;
    const second = counts.reduce((sum, count, k) => sum + count * (k - first) ** 2, 0) / draws;
    // Four standard errors: of the mean √(λ/n), of the variance √((2λ² + λ)/n).
    expect(Math.abs(first - mean)).toBeLessThan(4 * Math.sqrt(mean / draws));
    expect(Math.abs(second - mean)).toBeLessThan(4 * Math.sqrt((2 * mean * mean + mean) / draws));
    expect(pearson(mean, counts)).toBeGreaterThan(1e-4);
  });

  it('would be told from a rounded normal, and from a neighbouring mean', () => {
    const random = randomFor('mistake');
    const rounded = tally(() => Math.max(0, Math.round(12 + Math.sqrt(12) * random.normal())));
    expect(pearson(12, rounded)).toBeLessThan(1e-10);
    const sampler = poissonSampler(12.2);
    expect(
      pearson(
        12,
        tally(() => sampler(random.uniform())),
      ),
    ).toBeLessThan(1e-10);
  });

  it('turns the ends of the uniform range into the ends of the distribution', () => {
    expect(poissonSampler(0)(0.999)).toBe(0);
    expect(poissonSampler(3)(0)).toBe(0);
    expect(poissonSampler(3)(1 - 2 ** -53)).toBeGreaterThan(15);
    expect(poissonSampler(3)(1 - 2 ** -53)).toBeLessThan(60);
  });
});
