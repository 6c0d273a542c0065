import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import reference from '../../test/fixtures/stats/tests.json' with { type: 'json' };
import { benjaminiHochberg, holm } from './multiple.ts';
import { pairedSampleSize } from './paired-power.ts';
import { mcnemarExact, newcombePaired, wilson } from './proportion.ts';

const close = (actual: readonly number[], expected: readonly number[], tolerance = 1e-12) => {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(Math.abs(actual[i] - value)).toBeLessThanOrEqual(tolerance);
};

describe('proportions agree with R', () => {
  it('Wilson', () => {
    for (const [x, n, level, low, high] of reference.wilson) close(wilson(x, n, level), [low, high]);
  });

  it('Newcombe, paired, method 10', () => {
    for (const [a, b, c, d, level, low, high] of reference.newcombePaired)
      close(newcombePaired(a, b, c, d, level), [low, high]);
    // Printed in Newcombe (1998) for 36, 12, 2, 0.
    expect(newcombePaired(36, 12, 2, 0).map((x) => x.toFixed(4))).toEqual(['0.0569', '0.3404']);
  });

  it('exact McNemar', () => {
    for (const [b, c, p] of reference.mcnemarExact) expect(Math.abs(mcnemarExact(b, c) / p - 1)).toBeLessThan(1e-12);
  });

  it('Holm; Benjamini and Hochberg', () => {
    close(holm(reference.ps), reference.holm, 1e-15);
    close(benjaminiHochberg(reference.ps), reference.bh, 1e-15);
    expect(holm([0.02, Number.NaN, 0.03])).toEqual([0.04, Number.NaN, 0.04]);
  });
});

describe('intervals', () => {
  const count = fc.nat(200);
  it('hold their estimate, turn around with the pair, and are never a point', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        fc.pre(a + b + c + d > 0);
        const difference = (b - c) / (a + b + c + d);
        const [low, high] = newcombePaired(a, b, c, d);
        const [mirrorLow, mirrorHigh] = newcombePaired(a, c, b, d);
        expect(low).toBeLessThan(difference + 1e-12);
        expect(high).toBeGreaterThan(difference - 1e-12);
        expect(high - low).toBeGreaterThan(0);
        close([low, high], [-mirrorHigh, -mirrorLow]);
      }),
    );
  });

  it('without any disagreement still say how little is known', () => {
    const [low, high] = newcombePaired(120, 0, 0, 0);
    expect(low).toBeCloseTo(-high, 12);
    expect(high).toBeGreaterThan(0.02);
  });
});

it('the sample size is the one that reaches the power', () => {
  const n = pairedSampleSize({ difference: 0.05, discordance: 0.12, power: 0.8 });
  // (1.959964·√0.12 + 0.841621·√(0.12 − 0.0025))² / 0.0025 = 374.96
  expect(n).toBe(375);
  expect(pairedSampleSize({ difference: 0, discordance: 0.1 })).toBe(Number.POSITIVE_INFINITY);
});
