import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hash, picture } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import type { Rgb } from './raster.ts';
import { rotate, type TransformFilter } from './transform.ts';

interface RotateCase {
  source: [number, number, number];
  degrees: number[];
  sizes: [number, number][];
  filter: TransformFilter;
  expand: boolean;
  fill: Rgb | null;
  rgb: string;
}

const rotations: RotateCase[] = reference.rotate;

describe('rotate', () => {
  it.each(rotations)('equals Pillow: $source $filter expand $expand fill $fill', (c) => {
    const [w, h, seed] = c.source;
    const rgb = createHash('sha256');
    for (const [i, degrees] of c.degrees.entries()) {
      const fill = c.fill ?? undefined;
      const out = rotate(picture(w, h, seed), degrees, { filter: c.filter, expand: c.expand, fill });
      expect([out.width, out.height]).toEqual(c.sizes[i]);
      rgb.update(out.data);
    }
    expect(rgb.digest('hex').slice(0, 24)).toBe(c.rgb);
  });

  it('turns anticlockwise', () => {
    const [w, h] = [8, 8];
    expect(hash(rotate(picture(w, h), 90).data)).not.toBe(hash(rotate(picture(w, h), -90).data));
  });
});
