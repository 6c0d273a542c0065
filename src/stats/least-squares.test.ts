import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import nist from '../../test/fixtures/stats/nist.json' with { type: 'json' };
import { type DesignColumn, disjointBlocks, indicatorColumn } from './columns.ts';
import { power } from './double-double.ts';
import { leastSquares } from './least-squares.ts';
import { randomFor } from './random.ts';

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

function worstErrors(name: keyof typeof nist.sets, method: 'householder' | 'gram') {
  const set = nist.sets[name];
  const fit = leastSquares(nistDesign(set.x, set.degree), column(set.y), { method });
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
    it(`${name} by Householder`, () => {
      const worst = worstErrors(name, 'householder');
      expect(worst.aliased).toEqual([]);
      // What is left is the rounding of the decimal data to doubles.
      expect(worst.estimates).toBeLessThan(2e-13);
      expect(worst.errors).toBeLessThan(2e-13);
      expect(worst.sd).toBeLessThan(2e-13);
    });

    it(`${name} by cross-products`, () => {
      const worst = worstErrors(name, 'gram');
      // Cross-products square the condition; their 32 digits bear most of it.
      const condition = name === 'Filip' ? 1e-6 : 1e-9;
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

  it.each(['householder', 'gram'] as const)('gives submodels from the fit: %s', (method) => {
    const y = [1, 3, 2, 5, 4, 7];
    const square = column(x.map((v) => v * v));
    const full = leastSquares([one, column(x), square], column(y), { method });
    const small = leastSquares([one, column(x)], column(y), { method });
    expect(full.beyond([0, 1], [0, 1, 2]).ss).toBeCloseTo(small.rss - full.rss, 12);
    expect(full.subspace([0], [1])(full.coefficients)).toBeCloseTo(full.beyond([0], [0, 1]).ss, 11);
    expect(full.logDeterminant([0, 1])).toBeCloseTo(Math.log(6 * 91 - 21 * 21), 12);
    expect(Array.from(full.solve(Float64Array.from(y)))).toEqual(
      Array.from(full.coefficients, (v) => expect.closeTo(v, 12)),
    );
  });
});

describe('the two methods agree', () => {
  // Factors of 4, 6 and 30 levels, unbalanced, with a covariate and weights.
  const random = randomFor('methods');
  const n = 400;
  const codes = [4, 6, 30].map((levels) => Array.from({ length: n }, () => random.integer(0, levels - 1)));
  const indicators = codes.flatMap((code, f) =>
    Array.from({ length: [4, 6, 30][f] - 1 }, (_, l) =>
      indicatorColumn(n, Uint32Array.from(code.flatMap((value, i) => (value === l + 1 ? [i] : [])))),
    ),
  );
  const covariate = column(Array.from({ length: n }, () => random.normal()));
  const design = [column(new Array(n).fill(1)), covariate, ...indicators];
  const y = column(
    Array.from({ length: n }, (_, i) => 1000 + codes[0][i] + 0.1 * covariate.values[i] + random.normal()),
  );
  const weights = Float64Array.from({ length: n }, () => random.integer(1, 9));
  const [a, b] = (['householder', 'gram'] as const).map((method) => leastSquares(design, y, { weights, method }));

  it('on estimates, errors, leverage and determinants', () => {
    expect(disjointBlocks(design, n).map((block) => block.length)).toEqual([3, 5, 29]);
    for (const j of a.kept) expect(relative(b.coefficients[j], a.coefficients[j])).toBeLessThan(1e-11);
    expect(Math.max(...a.unscaled.map((value, i) => Math.abs(value - b.unscaled[i])))).toBeLessThan(1e-14);
    expect(relative(b.rss, a.rss)).toBeLessThan(1e-13);
    const [ha, hb] = [a.leverage(), b.leverage()];
    expect(Math.max(...ha.map((h, i) => Math.abs(h - hb[i])))).toBeLessThan(1e-13);
    expect(b.logDeterminant([0, 1, 2, 3, 4])).toBeCloseTo(a.logDeterminant([0, 1, 2, 3, 4]), 10);
    const all = design.map((_, j) => j);
    expect(relative(b.beyond([0], all).ss, a.beyond([0], all).ss)).toBeLessThan(1e-12);
    expect(relative(b.beyond(all.slice(0, 10), all).ss, a.beyond(all.slice(0, 10), all).ss)).toBeLessThan(1e-11);
  });

  it('on what is aliased, and which', () => {
    const doubled = [
      ...design,
      indicators[35],
      column(covariate.values.map((v, i) => 2 * v + (codes[2][i] === 3 ? 1 : 0))),
    ];
    const [c, d] = (['householder', 'gram'] as const).map((method) => leastSquares(doubled, y, { method }));
    expect(c.aliased).toEqual([design.length, design.length + 1]);
    expect(d.aliased).toEqual(c.aliased);
    for (const j of c.kept) expect(relative(d.coefficients[j], c.coefficients[j])).toBeLessThan(1e-10);
  });
});
