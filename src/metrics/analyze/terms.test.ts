import { expect, it } from 'vitest';
import { coefficientTable, correlationMatrix, stars } from './terms.ts';

it('stars change where GraphPad changes them', () => {
  const at = [0.051, 0.05, 0.0101, 0.01, 0.00101, 0.001, 0.0001, 0.0000999, 0];
  expect(at.map(stars)).toEqual(['ns', '*', '*', '**', '**', '***', '***', '****', '****']);
  expect([stars(null), stars(Number.NaN)]).toEqual([null, null]);
});

it('the table has statistic, two-sided P and interval of the right distribution', () => {
  const errors = { covariance: Float64Array.of(4, 1, 1, 9), kept: [0, 2], level: 0.95 };
  const coefficients = Float64Array.of(4, Number.NaN, -3);
  const [first, second] = coefficientTable(['Intercept', 'a[x]', 'b'], coefficients, { ...errors, df: 10 });
  expect(first).toMatchObject({ term: 'Intercept', estimate: 4, se: 2, statistic: 2 });
  // R 4.2.2: 2 * pt(-2, 10); qt(.975, 10)
  expect(first.p).toBeCloseTo(0.07338803477074, 13);
  expect(first.ci?.[1]).toBeCloseTo(4 + 2 * 2.228138851986274, 12);
  expect(second).toMatchObject({ term: 'b', statistic: -1 });
  const normal = coefficientTable(['Intercept', 'a[x]', 'b'], coefficients, {
    ...errors,
    df: Number.POSITIVE_INFINITY,
  });
  expect(normal[0].p).toBeCloseTo(0.0455002638963584, 13);
  expect(correlationMatrix(['Intercept', 'a[x]', 'b'], { ...errors, df: 10 })).toEqual({
    terms: ['Intercept', 'b'],
    matrix: [
      [1, 1 / 6],
      [1 / 6, 1],
    ],
  });
});
