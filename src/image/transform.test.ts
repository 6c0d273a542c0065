import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hash, picture } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import { createRaster, type Rgb } from './raster.ts';
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

  it.each(['bilinear', 'bicubic'] as const)('looks at the content alone and makes the same picture: %s', (filter) => {
    const [width, height] = [41, 29];
    const whole = picture(width, height, 3);
    const boxes = [
      { x: 12, y: 7, width: 9, height: 6 },
      { x: 0, y: 0, width: 5, height: 29 },
      { x: 40, y: 28, width: 1, height: 1 },
      { x: 0, y: 10, width: 41, height: 3 },
    ];
    for (const content of boxes) {
      const image = createRaster(width, height);
      for (let y = content.y; y < content.y + content.height; y++) {
        const [from, to] = [(y * width + content.x) * 3, (y * width + content.x + content.width) * 3];
        image.data.set(whole.data.subarray(from, to), from);
      }
      for (let degrees = -180; degrees <= 180; degrees += 7)
        for (const expand of [false, true])
          expect(hash(rotate(image, degrees, { filter, expand, content }).data)).toBe(
            hash(rotate(image, degrees, { filter, expand }).data),
          );
    }
  });

  it('turns anticlockwise', () => {
    const [w, h] = [8, 8];
    expect(hash(rotate(picture(w, h), 90).data)).not.toBe(hash(rotate(picture(w, h), -90).data));
  });
});
