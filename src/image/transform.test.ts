import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blob, hash, picture } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import type { Rgb } from './raster.ts';
import {
  type Affine,
  type Perspective,
  rotate,
  rotateMask,
  type TransformFilter,
  warpAffine,
  warpMaskAffine,
  warpMaskPerspective,
  warpPerspective,
} from './transform.ts';

interface RotateCase {
  source: [number, number, number];
  degrees: number[];
  sizes: [number, number][];
  filter: TransformFilter;
  expand: boolean;
  fill: Rgb | null;
  rgb: string;
  mask: string;
}

interface WarpCase extends Omit<RotateCase, 'degrees' | 'sizes'> {
  op: string;
  matrix: number[];
  size: [number, number];
}

const rotations: RotateCase[] = reference.transform.filter((c: { op: string }) => c.op === 'rotate');
const warps: WarpCase[] = reference.transform.filter((c: { op: string }) => c.op !== 'rotate');

describe('rotate', () => {
  it.each(rotations)('equals Pillow: $source $filter expand $expand fill $fill', (c) => {
    const [w, h, seed] = c.source;
    const rgb = createHash('sha256');
    const mask = createHash('sha256');
    for (const [i, degrees] of c.degrees.entries()) {
      const fill = c.fill ?? undefined;
      const out = rotate(picture(w, h, seed), degrees, { filter: c.filter, expand: c.expand, fill });
      expect([out.width, out.height]).toEqual(c.sizes[i]);
      rgb.update(out.data);
      mask.update(rotateMask(blob(w, h, seed), degrees, { expand: c.expand }).data);
    }
    expect(rgb.digest('hex').slice(0, 24)).toBe(c.rgb);
    expect(mask.digest('hex').slice(0, 24)).toBe(c.mask);
  });

  it('turns anticlockwise', () => {
    const [w, h] = [8, 8];
    expect(hash(rotate(picture(w, h), 90).data)).not.toBe(hash(rotate(picture(w, h), -90).data));
  });
});

describe('warp', () => {
  it.each(warps)('equals Pillow: $op $matrix $filter to $size', (c) => {
    const [w, h, seed] = c.source;
    const [width, height] = c.size;
    const options = { filter: c.filter, fill: [1, 2, 3] as Rgb, width, height };
    const image = picture(w, h, seed);
    const mask = blob(w, h, seed);
    if (c.op === 'affine') {
      expect(hash(warpAffine(image, c.matrix as unknown as Affine, options).data)).toBe(c.rgb);
      expect(hash(warpMaskAffine(mask, c.matrix as unknown as Affine, { width, height }).data)).toBe(c.mask);
    } else {
      expect(hash(warpPerspective(image, c.matrix as unknown as Perspective, options).data)).toBe(c.rgb);
      expect(hash(warpMaskPerspective(mask, c.matrix as unknown as Perspective, { width, height }).data)).toBe(c.mask);
    }
  });
});
