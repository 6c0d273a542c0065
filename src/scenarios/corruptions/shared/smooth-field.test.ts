import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../stats/random.ts';
import { reflect } from './border.ts';
import { gaussianField } from './gaussian.ts';
import { uniforms } from './noise.ts';
import { smoothField } from './smooth-field.ts';

describe('smoothField', () => {
  it.each([
    [90, 70, 14],
    [64, 100, 20.9],
    [75, 50, 171],
    [1, 40, 30],
    [3, 2, 50],
  ])('is the Gaussian filter on %i × %i with sigma %d', (width, height, sigma) => {
    const field = uniforms(randomFor(width, height), width * height).map((value) => 2 * value - 1);
    const exact = gaussianField(field, width, height, sigma, { border: reflect, truncate: 3 });
    const fast = smoothField(field, width, height, sigma, { truncate: 3 });
    const size = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0) / exact.length);
    const worst = fast.reduce((high, value, i) => Math.max(high, Math.abs(value - exact[i])), 0);
    // Of displacements of a few pixels a hundredth is far below what moves a level.
    expect(worst).toBeLessThan(0.004 * size);
  });

  it('keeps an even field', () => {
    const out = smoothField(new Float64Array(60 * 40).fill(0.25), 60, 40, 33, { truncate: 3 });
    expect(Math.min(...out)).toBeCloseTo(0.25, 12);
    expect(Math.max(...out)).toBeCloseTo(0.25, 12);
  });
});
