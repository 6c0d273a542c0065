import { describe, expect, it } from 'vitest';
import { hypergeometricTail } from './hypergeometric.ts';
import { kMeans } from './k-means.ts';
import { nearestNeighbours } from './nearest-neighbours.ts';
import { neighbourMap } from './neighbour-map.ts';
import { principalComponents } from './principal-components.ts';
import { randomFor } from './random.ts';

/** Five round clouds far apart in twelve dimensions. */
function clouds(perCloud = 60, d = 12) {
  const random = randomFor('clouds');
  const centres = Array.from({ length: 5 }, () => Array.from({ length: d }, () => 10 * random.normal()));
  const n = 5 * perCloud;
  const rows = new Float32Array(n * d);
  const of = Array.from({ length: n }, (_, i) => i % 5);
  for (let i = 0; i < n; i++) for (let a = 0; a < d; a++) rows[i * d + a] = centres[of[i]][a] + random.normal();
  return { rows, n, d, of };
}

describe('hypergeometric tail', () => {
  // scipy 1.10.1: scipy.stats.hypergeom.sf(drawn - 1, all, marked, draws)
  it.each([
    [7, 100, 30, 12, 0.029383908522211948],
    [12, 100, 30, 12, 8.234148097933936e-8],
    [1, 100, 30, 12, 0.9898717813706122],
    [40, 5760, 240, 60, 4.731829202283658e-42],
    [3, 10, 10, 3, 1],
    [0, 10, 4, 3, 1],
  ])('P(X ≥ %i) of %i, %i marked, %i drawn', (drawn, all, marked, draws, expected) => {
    expect(hypergeometricTail(drawn, { all, marked, draws }) / expected).toBeCloseTo(1, 9);
  });
});

describe('principal components', () => {
  it('carry the variance that the eigenvalues say, and are uncorrelated', () => {
    const { rows, n, d } = clouds();
    const scores = principalComponents(rows, { n, d, count: 3, random: randomFor('pca') });
    const covariance = (a: number, b: number) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += scores[i * 3 + a] * scores[i * 3 + b];
      return sum / (n - 1);
    };
    const total = Array.from({ length: d }, (_, j) => {
      const column = Array.from({ length: n }, (_, i) => rows[i * d + j]);
      const mean = column.reduce((a, b) => a + b) / n;
      return column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    }).reduce((a, b) => a + b);
    expect(covariance(0, 0)).toBeGreaterThan(covariance(1, 1));
    expect(covariance(1, 1)).toBeGreaterThan(covariance(2, 2));
    expect(Math.abs(covariance(0, 1)) / covariance(0, 0)).toBeLessThan(1e-4);
    expect(covariance(0, 0) + covariance(1, 1) + covariance(2, 2)).toBeLessThan(total);
    // Five clouds span four dimensions: nearly everything lies in the first four components.
    const four = principalComponents(rows, { n, d, count: 4, random: randomFor('pca') });
    let kept = 0;
    for (const value of four) kept += value * value;
    expect(kept / (n - 1) / total).toBeGreaterThan(0.97);
  });
});

describe('clusters and map', () => {
  const { rows, n, d, of } = clouds();
  it('find clouds that are there', () => {
    const cluster = kMeans(rows, { n, d, k: 5, random: randomFor('k') });
    const pairs = new Set(of.map((cloud, i) => `${cloud} ${cluster[i]}`));
    expect(pairs.size).toBe(5);
  });

  it('keep neighbours together and clouds apart', () => {
    const near = nearestNeighbours(rows, { n, d, k: 10 });
    const start = principalComponents(rows, { n, d, count: 2, random: randomFor('pca') });
    const map = neighbourMap(near, start, { n, k: 10, random: randomFor('map') });
    expect(map.every(Number.isFinite)).toBe(true);
    const again = nearestNeighbours(map, { n, d: 2, k: 10 });
    let same = 0;
    for (let i = 0; i < n; i++) for (let e = i * 10; e < (i + 1) * 10; e++) if (of[again.index[e]] === of[i]) same++;
    expect(same / (10 * n)).toBeGreaterThan(0.99);
    expect(neighbourMap(near, start, { n, k: 10, random: randomFor('map') })).toEqual(map);
  });

  it('are the nearest by a plain search', () => {
    const { index } = nearestNeighbours(rows, { n, d, k: 3 });
    const distance = (i: number, j: number) =>
      Array.from({ length: d }, (_, a) => (rows[i * d + a] - rows[j * d + a]) ** 2).reduce((x, y) => x + y);
    for (const i of [0, 17, 131]) {
      const sorted = Array.from({ length: n }, (_, j) => j)
        .filter((j) => j !== i)
        .sort((a, b) => distance(i, a) - distance(i, b));
      expect([...index.subarray(3 * i, 3 * i + 3)]).toEqual(sorted.slice(0, 3));
    }
  });
});
