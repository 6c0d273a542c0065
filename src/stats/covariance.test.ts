import { describe, expect, it } from 'vitest';
import { type DesignColumn, indicatorColumn } from './columns.ts';
import {
  classicalCovariance,
  clusterCovariance,
  clusterFactor,
  heteroscedasticCovariance,
  heteroscedasticKinds,
} from './covariance.ts';
import { leastSquares } from './least-squares.ts';
import { randomFor } from './random.ts';

const random = randomFor('covariance');
const n = 120;
const codes = Array.from({ length: n }, () => random.integer(0, 4));
const columns: DesignColumn[] = [
  { values: new Float64Array(n).fill(1) },
  { values: Float64Array.from({ length: n }, () => random.normal()) },
  ...[1, 2, 3, 4].map((level) =>
    indicatorColumn(n, Uint32Array.from(codes.flatMap((code, i) => (code === level ? [i] : [])))),
  ),
];
const y = {
  values: Float64Array.from(columns[1].values, (v, i) => v * (1 + codes[i]) + random.normal() * (1 + codes[i])),
};
const weights = Float64Array.from({ length: n }, () => random.integer(1, 5));
const [direct, large] = (['householder', 'gram'] as const).map((method) =>
  leastSquares(columns, y, { weights, method }),
);
const gap = (a: Float64Array, b: Float64Array) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

describe('covariances', () => {
  it.each(heteroscedasticKinds)('%s is the same from influence rows and from the sandwich', (kind) => {
    const a = heteroscedasticCovariance(columns, direct, kind, weights).matrix;
    const b = heteroscedasticCovariance(columns, large, kind, weights).matrix;
    expect(gap(a, b)).toBeLessThan(1e-12);
    expect(a.every(Number.isFinite)).toBe(true);
  });

  it('HC1 is HC0 times n/(n − p); HC3 exceeds HC2 exceeds HC0', () => {
    const [hc0, hc1, hc2, hc3] = heteroscedasticKinds.map(
      (kind) => heteroscedasticCovariance(columns, direct, kind, weights).matrix,
    );
    const p = direct.rank;
    for (let k = 0; k < p; k++) {
      const at = k * p + k;
      expect(hc1[at] / hc0[at]).toBeCloseTo(n / (n - p), 12);
      expect(hc3[at]).toBeGreaterThan(hc2[at]);
      expect(hc2[at]).toBeGreaterThan(hc0[at]);
    }
  });

  it('clusters of one row are HC0', () => {
    const cell = Uint32Array.from({ length: n }, (_, i) => i);
    const score = direct.residuals.map((e, i) => e * weights[i]);
    const clustered = clusterCovariance(
      columns,
      direct.kept,
      direct.unscaled,
      { cell, cluster: cell, clusters: n, score },
      1,
    );
    expect(gap(clustered, heteroscedasticCovariance(columns, direct, 'hc0', weights).matrix)).toBeLessThan(1e-12);
    expect(clusterFactor(10, 100, 5)).toBeCloseTo((10 / 9) * (99 / 95), 14);
  });

  it('the classical one divides by the degrees of freedom, not by n', () => {
    const covariance = classicalCovariance(direct);
    expect(covariance[0] / direct.unscaled[0]).toBeCloseTo(direct.rss / (n - direct.rank), 12);
    expect(covariance[0] / direct.unscaled[0]).not.toBeCloseTo(direct.rss / n, 3);
  });
});
