import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import reference from '../../test/fixtures/stats/distributions.json' with { type: 'json' };
import { binomialCdf, binomialLogPmf, binomialSurvival } from './binomial.ts';
import { chiSquaredSurvival } from './chi-squared.ts';
import { fSurvival } from './f.ts';
import { logBeta, logGamma } from './log-gamma.ts';
import { normalCdf, normalLogSurvival, normalQuantile, normalSurvival, normalTwoSided } from './normal.ts';
import { tQuantile, tSurvival, tTwoSided } from './student-t.ts';

type Row = (number | string)[];

/** The last entry of a row is the truth, the others the arguments. */
function worst(rows: Row[], f: (...args: number[]) => number) {
  let error = 0;
  let where: Row = [];
  for (const row of rows) {
    const truth = Number(row.at(-1));
    // Below 1e-300 doubles lose digits on their own.
    if (Math.abs(truth) < 1e-300) continue;
    const relative = Math.abs(f(...(row.slice(0, -1) as number[])) / truth - 1);
    if (!(relative <= error)) [error, where] = [relative, row];
  }
  return { error, where };
}

// Far out a probability is exp(−k): one unit in the last place of k (about 690 ε at 1e-300) is all that doubles allow.
const functions = {
  normalSurvival: { f: normalSurvival, limit: 5e-13 },
  tSurvival: { f: tSurvival, limit: 5e-13 },
  fSurvival: { f: fSurvival, limit: 5e-13 },
  chiSquaredSurvival: { f: chiSquaredSurvival, limit: 5e-13 },
  binomialCdf: { f: binomialCdf, limit: 5e-13 },
  binomialSurvival: { f: binomialSurvival, limit: 5e-13 },
  logGamma: { f: logGamma, limit: 1e-14 },
  normalQuantile: { f: normalQuantile, limit: 1e-14 },
  tQuantile: { f: tQuantile, limit: 1e-13 },
} as const;

describe('distributions agree with mpmath at 60 digits', () => {
  for (const [name, { f, limit }] of Object.entries(functions)) {
    it(name, () => {
      const rows = reference[name as keyof typeof functions] as Row[];
      expect(rows.length).toBeGreaterThan(2);
      const { error, where } = worst(rows, f as (...args: number[]) => number);
      expect(error, `at ${where.join(', ')}`).toBeLessThan(limit);
    });
  }
});

describe('tails', () => {
  it('are two-sided where they say so', () => {
    expect(normalTwoSided(-1.3)).toBeCloseTo(2 * normalSurvival(1.3), 15);
    expect(tTwoSided(-1.3, 7)).toBeCloseTo(2 * tSurvival(1.3, 7), 15);
    expect(tTwoSided(2.1, Number.POSITIVE_INFINITY)).toBe(normalTwoSided(2.1));
  });

  it('add up to one', () => {
    const df = fc.double({ min: 0.5, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), df, df, (x, a, b) => {
        expect(normalCdf(x) + normalSurvival(x)).toBeCloseTo(1, 13);
        expect(tSurvival(-x, a) + tSurvival(x, a)).toBeCloseTo(1, 12);
        // 1/F has the degrees of freedom the other way round.
        expect(fSurvival(1 / Math.abs(x), b, a) + fSurvival(Math.abs(x), a, b)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('know their ends', () => {
    expect(normalSurvival(Number.POSITIVE_INFINITY)).toBe(0);
    expect(normalCdf(Number.POSITIVE_INFINITY)).toBe(1);
    expect(tTwoSided(0, 5)).toBe(1);
    expect(tTwoSided(Number.POSITIVE_INFINITY, 5)).toBe(0);
    expect(fSurvival(0, 2, 3)).toBe(1);
    expect(fSurvival(Number.POSITIVE_INFINITY, 2, 3)).toBe(0);
    expect(chiSquaredSurvival(0, 4)).toBe(1);
    expect(tTwoSided(Number.NaN, 5)).toBeNaN();
    // ln P(Z > 100) = −5005.524208694205…, far below the smallest double.
    expect(normalLogSurvival(100)).toBeCloseTo(-5005.524208694205, 8);
  });

  it('invert', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }),
        fc.integer({ min: 1, max: 2000 }),
        (p, df) => {
          expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 11);
          expect(tSurvival(-tQuantile(p, df), df) / p).toBeCloseTo(1, 10);
        },
      ),
    );
  });

  it('sum the binomial', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(60),
        (n, p, k) => {
          let sum = 0;
          for (let j = 0; j <= Math.min(k, n); j++) sum += Math.exp(binomialLogPmf(j, n, p));
          expect(binomialCdf(k, n, p)).toBeCloseTo(sum, 12);
        },
      ),
    );
  });
});

it('logBeta agrees with logGamma', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 300, noNaN: true }),
      fc.double({ min: 0.01, max: 300, noNaN: true }),
      (a, b) => {
        const direct = logGamma(a) + logGamma(b) - logGamma(a + b);
        expect(Math.abs(logBeta(a, b) - direct)).toBeLessThan(1e-11);
      },
    ),
  );
});
