import { describe, expect, it } from 'vitest';
import reference from '../../../test/fixtures/stats/normality.json' with { type: 'json' };
import { anderson } from './anderson.ts';
import { dagostino } from './dagostino.ts';
import { lilliefors } from './lilliefors.ts';
import { shapiro } from './shapiro.ts';

const tests = { anderson, dagostino, lilliefors, shapiro };
const relative = (a: number | null, b: number) => Math.abs((a ?? Number.NaN) / b - 1);

describe('normality tests agree with R, SciPy and statsmodels', () => {
  for (const [name, sample] of Object.entries(reference.samples)) {
    for (const [test, run] of Object.entries(tests)) {
      const expected = (sample as unknown as Record<string, [number, number] | null>)[test];
      it(`${test} on ${name}`, () => {
        const result = run(sample.x);
        if (!expected) {
          expect(result.statistic).toBeNull();
          expect((result as { reason: string }).reason).toMatch(/needs|equal/);
          return;
        }
        // The references sum in plain doubles and lose digits far from zero and in the tails.
        expect(relative(result.statistic, expected[0])).toBeLessThan(1e-9);
        if (expected[1] > 1e-300) expect(relative(result.p, expected[1])).toBeLessThan(1e-7);
      });
    }
  }
});
