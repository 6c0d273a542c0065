import { describe, expect, it } from 'vitest';
import { hash, largestDifference, picture } from '../../test/fixtures/image/picture.ts';
import { bytes, reference } from '../../test/fixtures/image/reference.ts';
import { boxBlur, filter2d } from './filter.ts';

interface FilterCase {
  name: string;
  source: [number, number, number];
  side: [number, number];
  kernel: string;
  pixels: string;
}

const kernelOf = ({ side: [width, height], kernel }: FilterCase) => ({
  width,
  height,
  weights: new Float64Array(bytes(kernel).buffer),
});

describe('filter2d', () => {
  it.each(reference.filter as FilterCase[])('$name kernel on $source within a level of OpenCV', (c) => {
    const right = bytes(c.pixels);
    const out = filter2d(picture(...c.source), kernelOf(c)).data;
    expect(largestDifference(out, right)).toBeLessThanOrEqual(1);
    const off = out.filter((v, i) => v !== right[i]).length;
    expect(off / out.length).toBeLessThan(0.001);
  });

  it('is told apart from a kernel turned around', () => {
    const c = (reference.filter as FilterCase[]).find((c) => c.name === 'uneven')!;
    const kernel = kernelOf(c);
    const turned = { ...kernel, weights: kernel.weights.slice().reverse() };
    expect(largestDifference(filter2d(picture(...c.source), turned).data, bytes(c.pixels))).toBeGreaterThan(1);
  });
});

describe('boxBlur', () => {
  it.each(reference.box as { source: [number, number, number]; kernel: number; rgb: string }[])(
    'equals OpenCV: $source kernel $kernel',
    ({ source, kernel, rgb }) => {
      expect(hash(boxBlur(picture(...source), { kernel }).data)).toBe(rgb);
      if (source[0] > 2) expect(hash(boxBlur(picture(...source), { kernel: kernel + 2 }).data)).not.toBe(rgb);
    },
  );

  it('refuses an even side', () => expect(() => boxBlur(picture(3, 3), { kernel: 4 })).toThrow('an odd number'));
});
