import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symmetricEigen } from './eigen.ts';
import { quadraticFormCdf } from './quadratic-form.ts';
import { simulateCoverage } from './simulate.ts';
import { squaredLength } from './squared-length.ts';

describe('symmetricEigen', () => {
  it('puts the matrix back together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 36, maxLength: 36 }),
        (entries) => {
          const size = 6;
          const matrix = new Float64Array(36);
          for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++) matrix[i * size + j] = entries[i * size + j] + entries[j * size + i];
          const { values, vectors } = symmetricEigen(matrix, size);
          for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++) {
              let sum = 0;
              for (let k = 0; k < size; k++) sum += values[k] * vectors[i * size + k] * vectors[j * size + k];
              expect(sum).toBeCloseTo(matrix[i * size + j], 10);
            }
        },
      ),
    );
  });
});

describe('quadraticFormCdf', () => {
  // scipy.stats.ncx2 / chi2 1.10.1: chi2.cdf(3.84145882, 1), ncx2.cdf(3, 4, 2), ncx2.cdf(1, 8, 5), ncx2.cdf(30, 8, 5).
  it.each([
    [3.84145882, [1], [0], 0.95],
    [3, [1, 1, 1, 1], [2, 0, 0, 0], 0.2462727],
    [1, Array(8).fill(1), [5, 0, 0, 0, 0, 0, 0, 0], 0.00018295856],
    [30, Array(8).fill(1), [1, 1, 1, 1, 1, 0, 0, 0], 0.9885172],
  ])('agrees with the noncentral χ² at %d', (q, variances, squares, expectedValue) => {
    const found = quadraticFormCdf(q, Float64Array.from(variances), Float64Array.from(squares));
    // The saddlepoint's own error is a few per cent of the nearer tail.
    expect(Math.abs(found - expectedValue)).toBeLessThan(0.05 * Math.min(expectedValue, 1 - expectedValue) + 1e-5);
  });

  it('rises from 0 to 1', () => {
    const [variances, squares] = [Float64Array.of(1, 0.1, 0.01), Float64Array.of(0, 2, 0.5)];
    let before = 0;
    for (let q = 0; q < 30; q += 0.05) {
      const value = quadraticFormCdf(q, variances, squares);
      expect(value).toBeGreaterThanOrEqual(before - 1e-6);
      before = value;
    }
    expect(before).toBeGreaterThan(0.999);
  });
});

describe('squaredLength', () => {
  it('takes off the noise and gives back the two-sided normal interval in one dimension', () => {
    const found = squaredLength({ values: Float64Array.of(10), covariance: Float64Array.of(1) });
    expect(found?.debiased).toBeCloseTo(99, 12);
    // (10 ± 1.96)²
    expect(Math.sqrt(found?.interval[0] ?? 0)).toBeCloseTo(8.04, 1);
    expect(Math.sqrt(found?.interval[1] ?? 0)).toBeCloseTo(11.96, 1);
  });

  it('reaches down to zero where nothing is shown, and is never a point', () => {
    const found = squaredLength({ values: Float64Array.of(0, 0), covariance: Float64Array.of(1, 0, 0, 1) });
    expect(found?.interval[0]).toBe(0);
    expect(found?.interval[1]).toBeGreaterThan(0.5);
    expect(squaredLength({ values: Float64Array.of(1), covariance: Float64Array.of(0) })).toBeUndefined();
  });
});

describe('coverage', () => {
  // Few replicates, and seeds are fixed: scripts/simulate-robustness.mjs has the long form.
  const replicates = 200;
  const [least, most] = [0.91, 0.985];
  const paper = [0.0425, 0.07, 0.1257, 0.0985, 0.0652, 0.087, 0.7078, 0.3012];
  const eight = (drop: number) => Array<number>(8).fill(drop);
  it.each([
    ['drops of 2 points', { images: 240, accuracy: 0.9, drops: eight(0.02), correlation: 0.6 }],
    ['no drops', { images: 240, accuracy: 0.9, drops: eight(0), correlation: 0.6 }],
    ['drops of 60 points', { images: 60, accuracy: 0.8, drops: eight(0.6), correlation: 0.5 }],
    ["the paper's drops", { images: 120, accuracy: 0.95, drops: paper, correlation: 0.7 }],
    [
      "the paper's drops with inner",
      { images: 120, accuracy: 0.95, drops: paper, innerDrops: eight(0.12), correlation: 0.7 },
    ],
  ])('holds for %s', (_, design) => {
    const { covered } = simulateCoverage(design, { replicates, seed: 3 });
    expect(covered).toBeGreaterThan(least);
    expect(covered).toBeLessThan(most);
  });

  it('holds for classes as the random sample', () => {
    const design = { images: 240, accuracy: 0.9, drops: paper, correlation: 0.5, classes: { count: 12, spread: 0.4 } };
    const { covered } = simulateCoverage(design, { replicates, seed: 5 });
    expect(covered).toBeGreaterThan(0.9);
    expect(covered).toBeLessThan(most);
  });

  it('is unbiased where the plug-in more than doubles the truth', () => {
    const design = { images: 240, accuracy: 0.9, drops: eight(0.02), correlation: 0.6 };
    const found = simulateCoverage(design, { replicates: 2 * replicates, seed: 4 });
    expect(1 - found.truth).toBeCloseTo(4e-4, 12);
    expect(1 - found.meanScore).toBeGreaterThan(7e-4);
    expect(Math.abs(found.meanDebiased - found.truth)).toBeLessThan(1e-4);
  });
});
