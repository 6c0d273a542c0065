import { describe, expect, it } from 'vitest';
import { planLines } from './lines.ts';
import { planTransform } from './transform.ts';

describe('planLines', () => {
  // Every radix, mixed ones, and lengths that go by way of a convolution (37, 71, 2 · 107).
  it.each([1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 37, 60, 64, 71, 105, 213, 214, 240, 242, 320])(
    'of length %i gives the bits of the transform of one line',
    (n) => {
      const lines = 6;
      const values = (seed: number) => Float64Array.from({ length: n }, (_, i) => Math.sin((i + 1) * seed) * 255);
      const single = Array.from({ length: lines }, (_, t) => ({ re: values(t + 1), im: values(t + 0.5) }));
      const re = new Float64Array(n * lines);
      const im = new Float64Array(n * lines);
      single.forEach((line, t) => {
        line.re.forEach((value, j) => {
          re[j * lines + t] = value;
          im[j * lines + t] = line.im[j];
        });
      });
      planLines(n)(re, im, lines);
      single.forEach((line, t) => {
        planTransform(n)(line.re, line.im);
        expect(re.filter((_, i) => i % lines === t)).toEqual(line.re);
        expect(im.filter((_, i) => i % lines === t)).toEqual(line.im);
      });
    },
  );
});
