import { expect, it } from 'vitest';
import { correctedT } from './corrected-t.ts';

it('is Nadeau and Bengio’s corrected resampled t test, as R has it by hand (test/fixtures/train/make.R, R 4.2.2)', () => {
  const result = correctedT([0.021, -0.004, 0.035, 0.012, 0.008, 0.019], 1 / 5);
  expect(result.difference).toBeCloseTo(0.0151666666666667, 14);
  expect(result.spread).toBeCloseTo(0.0131972219298861, 14);
  expect(result.t).toBeCloseTo(1.89789379838374, 12);
  expect(result.df).toBe(5);
  expect(result.p).toBeCloseTo(0.116176899741529, 12);
  expect(result.ci?.[0]).toBeCloseTo(-0.00537566182067329, 12);
  expect(result.ci?.[1]).toBeCloseTo(0.0357089951540066, 12);
});

it('claims nothing where the folds do not vary', () => {
  expect(correctedT([0, 0, 0], 0.5)).toMatchObject({ difference: 0, t: null, p: 1, ci: null });
  expect(correctedT([0.1, 0.1], 1)).toMatchObject({ t: null, p: null, ci: null });
  expect(correctedT([0.1], 1)).toMatchObject({ spread: null, t: null });
});
