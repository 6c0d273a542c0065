import { describe, expect, it } from 'vitest';
import { glm } from './glm.ts';
import { findSeparation } from './separation.ts';
import { maximiseInCone } from './simplex.ts';

const column = (values: readonly number[]) => ({ values: Float64Array.from(values) });
const ones = (n: number) => column(new Array(n).fill(1));
const solve = (x: number[][], y: number[], family: 'binomial' | 'poisson', weights?: number[]) =>
  glm(
    {
      columns: [ones(y.length), ...x.map(column)],
      y: Float64Array.from(y),
      weights: Float64Array.from(weights ?? y.map(() => 1)),
      intercept: true,
    },
    { family },
  );

describe('separation', () => {
  it('complete: a line between failures and successes', () => {
    const result = solve([[1, 2, 3, 4, 5, 6]], [0, 0, 0, 1, 1, 1], 'binomial');
    expect(result.separation).toBe('complete');
    expect(result.deviance).toBe(0);
    expect([...result.infinite]).toEqual([
      [0, -1],
      [1, 1],
    ]);
    expect(result.coefficients[1]).toBe(Number.POSITIVE_INFINITY);
  });

  it('quasi-complete: ties on the line; what is finite is the fit of the rest', () => {
    // Group b never fails; a and c are ordinary. R 4.2.2 without group b: -0.4054651081081642, 1.098612288668110.
    const g = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
    const y = [1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0];
    const result = solve([g.map((v) => Number(v === 'b')), g.map((v) => Number(v === 'c'))], y, 'binomial');
    expect(result.separation).toBe('quasi');
    expect([...result.infinite]).toEqual([[1, 1]]);
    expect(result.coefficients[0]).toBeCloseTo(Math.log(2 / 3), 12);
    expect(result.coefficients[2]).toBeCloseTo(Math.log(2) - Math.log(2 / 3), 12);
    expect(result.kept).toEqual([0, 2]);
    expect(result.fitted[6]).toBe(1);
  });

  it('in the reference level makes the intercept and all contrasts with it infinite, not the rest', () => {
    const g = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'c', 'c', 'c', 'c'];
    const x = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    const y = [1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1];
    const result = solve([g.map((v) => Number(v === 'b')), g.map((v) => Number(v === 'c')), x], y, 'binomial');
    expect(result.separation).toBe('quasi');
    expect([...result.infinite.keys()].sort()).toEqual([0, 1, 2]);
    expect(result.infinite.get(0)).toBe(1);
    expect(result.infinite.get(1)).toBe(-1);
    const without = solve([g.slice(4).map((v) => Number(v === 'c')), x.slice(4)], y.slice(4), 'binomial');
    expect(result.coefficients[3]).toBeCloseTo(without.coefficients[2], 10);
    const se = (r: typeof result, k: number) => Math.sqrt(r.covariance[k * r.kept.length + k]);
    expect(se(result, 0)).toBeCloseTo(se(without, 2), 10);
  });

  it('of counts: a level that is always zero', () => {
    const result = solve([[0, 0, 0, 1, 1, 1]], [2, 3, 4, 0, 0, 0], 'poisson');
    expect(result.separation).toBe('quasi');
    expect(result.infinite.get(1)).toBe(-1);
    expect(result.coefficients[0]).toBeCloseTo(Math.log(3), 12);
  });

  it('is not seen where there is none, even at extreme shares', () => {
    expect(solve([[1, 2, 3, 4, 5, 6]], [0, 0, 1, 0, 1, 1], 'binomial').separation).toBe('none');
    const grouped = solve([[0, 1]], [0.5, 0.9999], 'binomial', [100, 10000]);
    expect(grouped.separation).toBe('none');
    expect(grouped.coefficients[1]).toBeCloseTo(Math.log(9999), 9);
  });

  it('agrees with brute force over all ways to label a small design', () => {
    // Separable on a line of distinct points exactly where the labels change at most once.
    for (let labels = 0; labels < 64; labels++) {
      const y = Array.from({ length: 6 }, (_, i) => (labels >> i) & 1);
      const changes = y.filter((v, i) => i > 0 && v !== y[i - 1]).length;
      const side = Int8Array.from(y, (v) => (v ? 1 : -1));
      const found = findSeparation([ones(6), column([1, 2, 3, 5, 8, 9])], side);
      expect(found.kind, y.join('')).toBe(changes <= 1 ? 'complete' : 'none');
    }
  });
});

it('the simplex method stays at zero in a closed cone and reaches the box in an open one', () => {
  const closed = [Float64Array.of(1, 0), Float64Array.of(-1, 0), Float64Array.of(0, 1), Float64Array.of(0, -1)];
  expect(Array.from(maximiseInCone(closed, Float64Array.of(1, 1)))).toEqual([0, 0]);
  const open = [Float64Array.of(1, 0), Float64Array.of(1, -1)];
  const d = maximiseInCone(open, Float64Array.of(2, -1));
  expect(d[0]).toBeCloseTo(1, 12);
  expect(d[1]).toBeCloseTo(-1, 12);
});

describe('iteration', () => {
  it('gives the closed form of two groups', () => {
    const result = solve([[0, 0, 1, 1]], [0.25, 0.5, 0.75, 0.5], 'binomial', [8, 4, 20, 6]);
    const logit = (p: number) => Math.log(p / (1 - p));
    expect(result.coefficients[0]).toBeCloseTo(logit(4 / 12), 13);
    expect(result.coefficients[1]).toBeCloseTo(logit(18 / 26) - logit(4 / 12), 13);
    expect(Math.sqrt(result.covariance[0])).toBeCloseTo(Math.sqrt(1 / 4 + 1 / 8), 13);
  });

  it('survives a start far from the answer', () => {
    const x = Array.from({ length: 40 }, (_, i) => i);
    const result = solve(
      [x],
      x.map((v) => Math.round(Math.exp(0.2 * v))),
      'poisson',
    );
    expect(result.converged).toBe(true);
    expect(result.coefficients[1]).toBeCloseTo(0.2, 3);
  });

  it('sets aside aliased columns', () => {
    const x = [1, 2, 3, 4, 5, 6];
    const result = solve([x, x.map((v) => 3 * v + 1)], [0, 1, 0, 1, 0, 1], 'binomial');
    expect(result.aliased).toEqual([2]);
    expect(result.kept).toEqual([0, 1]);
  });
});
