import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import nist from '../../test/fixtures/stats/nist.json' with { type: 'json' };
import { power } from './double-double.ts';
import { explained, explainedBeyond, leastSquares } from './least-squares.ts';
import type { DesignColumn } from './qr.ts';

const column = (values: ArrayLike<number>): DesignColumn => ({ values: Float64Array.from(values) });

/** degree 0: as given, no intercept; 1: intercept and columns; more: powers of the one column. */
function nistDesign(x: number[][], degree: number): DesignColumn[] {
  const given = x[0].map((_, j) => column(x.map((row) => row[j])));
  if (degree <= 1) return degree ? [column(x.map(() => 1)), ...given] : given;
  return Array.from({ length: degree + 1 }, (_, k) => {
    const pairs = x.map((row) => power([row[0], 0], k));
    return { values: Float64Array.from(pairs, (p) => p[0]), low: Float64Array.from(pairs, (p) => p[1]) };
  });
}

const relative = (actual: number, expected: number) =>
  expected === 0 ? Math.abs(actual) : Math.abs(actual / expected - 1);

function worstErrors(name: keyof typeof nist.sets, precision: 'extended' | 'double') {
  const set = nist.sets[name];
  const fit = leastSquares(nistDesign(set.x, set.degree), column(set.y), { precision });
  const se = (j: number) => Math.sqrt((fit.rss / fit.df) * fit.unscaled[j * fit.rank + j]);
  return {
    aliased: fit.aliased,
    estimates: Math.max(...set.estimates.map((value, j) => relative(fit.coefficients[j], Number(value)))),
    errors: Math.max(...set.se.map((value, j) => relative(se(j), Number(value)))),
    sd: relative(Math.sqrt(fit.rss / fit.df), Number(set.residualSd)),
  };
}

describe("NIST's certified sets", () => {
  for (const name of Object.keys(nist.sets) as (keyof typeof nist.sets)[]) {
    it(`${name}, 32 digits`, () => {
      const worst = worstErrors(name, 'extended');
      expect(worst.aliased).toEqual([]);
      // What is left is the rounding of the decimal data to doubles.
      expect(worst.estimates).toBeLessThan(2e-13);
      expect(worst.errors).toBeLessThan(2e-13);
      expect(worst.sd).toBeLessThan(2e-13);
    });

    it(`${name}, 16 digits and refinement`, () => {
      const worst = worstErrors(name, 'double');
      const condition = name === 'Filip' ? 1e-6 : 1e-12;
      expect(worst.estimates).toBeLessThan(condition);
      expect(worst.errors).toBeLessThan(condition);
    });
  }
});

describe('leastSquares', () => {
  const x = [1, 2, 3, 4, 5, 6];
  const one = column(x.map(() => 1));

  it('sets aside columns that are combinations of those before them, in order', () => {
    const twice = column(x.map((v) => 2 * v + 0.1));
    const fit = leastSquares([one, column(x), twice, column(x.map((v) => v * v))], column([1, 3, 2, 5, 4, 6]));
    expect(fit.aliased).toEqual([2]);
    expect(fit.kept).toEqual([0, 1, 3]);
    expect(fit.coefficients[2]).toBeNaN();
    expect(fit.df).toBe(3);
  });

  it('keeps what is nearly, but not, a combination', () => {
    const near = column(x.map((v, i) => v + 1e-8 * (i % 3)));
    const y = x.map((v, i) => 1 + 2 * v + 3e-8 * (i % 3));
    const fit = leastSquares([one, column(x), near], column(y));
    expect(fit.aliased).toEqual([]);
    expect(fit.coefficients[2]).toBeCloseTo(3, 5);
  });

  it('says when the fit is exact', () => {
    const fit = leastSquares([one, column(x)], column(x.map((v) => 0.1 + 0.3 * v)));
    expect(fit.exact).toBe(true);
    expect(fit.rss).toBe(0);
    expect(leastSquares([one, column(x)], column([1, 2, 3, 4, 5, 6.0001])).exact).toBe(false);
  });

  it('does not mind the scale of columns and response', () => {
    const y = [1, 3, 2, 5, 4, 7];
    const plain = leastSquares([one, column(x)], column(y));
    for (const [sx, sy] of [
      [1e100, 1e-100],
      [1e-100, 1e100],
      [3e8, 1e-12],
    ]) {
      const fit = leastSquares([one, column(x.map((v) => v * sx))], column(y.map((v) => v * sy)));
      expect(relative((fit.coefficients[1] * sx) / sy, plain.coefficients[1])).toBeLessThan(1e-13);
      expect(relative(Math.sqrt(fit.rss) / sy, Math.sqrt(plain.rss))).toBeLessThan(1e-13);
    }
  });

  it('weights are repetitions for the estimates', () => {
    const y = [1, 3, 2, 5, 4, 7];
    const w = [1, 2, 1, 3, 1, 2];
    const repeated = (values: number[]) => values.flatMap((value, i) => new Array(w[i]).fill(value));
    const weighted = leastSquares([one, column(x)], column(y), { weights: Float64Array.from(w) });
    const long = leastSquares([column(repeated(x).map(() => 1)), column(repeated(x))], column(repeated(y)));
    expect(relative(weighted.coefficients[1], long.coefficients[1])).toBeLessThan(1e-14);
    expect(relative(weighted.rss, long.rss)).toBeLessThan(1e-13);
    expect(weighted.df).toBe(4);
  });

  it('leverages add up to the rank and residuals are orthogonal to the design', () => {
    const value = fc
      .double({ min: -100, max: 100, noNaN: true, noDefaultInfinity: true })
      .map((v) => Math.round(v * 8) / 8);
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { minLength: 5, maxLength: 30 }), (rows) => {
        const design = [column(rows.map(() => 1)), column(rows.map((r) => r[0])), column(rows.map((r) => r[1]))];
        const fit = leastSquares(design, column(rows.map((r) => r[2])));
        const total = fit.leverage().reduce((sum, h) => sum + h, 0);
        expect(total).toBeCloseTo(fit.rank, 9);
        for (const { values } of design) {
          const product = values.reduce((sum, v, i) => sum + v * fit.residuals[i], 0);
          expect(Math.abs(product)).toBeLessThan(1e-8);
        }
      }),
    );
  });

  it('gives submodels from the reduced fit', () => {
    const y = [1, 3, 2, 5, 4, 7];
    const square = column(x.map((v) => v * v));
    const full = leastSquares([one, column(x), square], column(y));
    const small = leastSquares([one, column(x)], column(y));
    expect(explainedBeyond(full.reduced, [0, 1], [0, 1, 2]).ss).toBeCloseTo(small.rss - full.rss, 12);
    const total = y.reduce((sum, v) => sum + v * v, 0);
    expect(explained(full.reduced, [0, 1]).ss).toBeCloseTo(total - small.rss, 11);
  });
});
