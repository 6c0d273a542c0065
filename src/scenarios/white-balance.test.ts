import { expect, it } from 'vitest';
import { planckianLocus, whiteBalanceGains } from './white-balance.ts';

// Planck's law seen by the CIE 1931 observer, to four digits (2856 K is CIE's illuminant A).
it.each([
  [2000, 0.5267, 0.4133],
  [2856, 0.4475, 0.4074],
  [4000, 0.3805, 0.3768],
  [6500, 0.3135, 0.3237],
  [10000, 0.2807, 0.2884],
  [20000, 0.2565, 0.2577],
])('the black body at %i K', (kelvin, x, y) => {
  const [ourX, ourY] = planckianLocus(kelvin);
  expect(Math.abs(ourX - x)).toBeLessThan(0.0015);
  expect(Math.abs(ourY - y)).toBeLessThan(0.0015);
});

it('is neutral at 6500 K, warm below and cold above, at equal luminance', () => {
  expect(whiteBalanceGains(6500)).toEqual([1, 1, 1]);
  const [red, , blue] = whiteBalanceGains(3000);
  expect(red).toBeGreaterThan(1.3);
  expect(blue).toBeLessThan(0.5);
  expect(whiteBalanceGains(10000)[2]).toBeGreaterThan(1.2);
  for (const kelvin of [2000, 4000, 10000]) {
    const [r, g, b] = whiteBalanceGains(kelvin);
    expect(0.2126 * r + 0.7152 * g + 0.0722 * b).toBeCloseTo(1, 1);
  }
});
