import { describe, expect, it } from 'vitest';
import { areaShare, boundingBox } from '../../image/mask-ops.ts';
import type { Mask } from '../../image/raster.ts';
import { randomFor } from '../../stats/random.ts';
import { drawPicture } from './draw.ts';
import { environmentNames, eye } from './environments.ts';
import { drawLook, type ObjectLook, objectNames } from './objects.ts';

const lookOf = (name: (typeof objectNames)[number], i = 0) => drawLook(name, randomFor('draw test', name, i));
const sizePx = 64;

/** Of four neighbours and the pixel itself, all are object, or none: no ray of the pixel or next to it can be mixed. */
function inner({ data, width, height }: Mask): { object: number[]; background: number[] } {
  const sure = { object: [] as number[], background: [] as number[] };
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const around = [-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1].map((d) => data[i + d]);
      if (around.every((value) => value === 255)) sure.object.push(i);
      if (around.every((value) => value === 0)) sure.background.push(i);
    }
  return sure;
}

const pixelAt = (data: Uint8Array, i: number) => data.subarray(3 * i, 3 * i + 3).join(' ');

describe('drawPicture', () => {
  it('draws the same bytes for the same seed, and others for another', () => {
    const options = { look: lookOf('cone'), environment: 'sand', sizePx: 48 } as const;
    const once = drawPicture({ ...options, seed: 'a' });
    expect(drawPicture({ ...options, seed: 'a' })).toEqual(once);
    const other = drawPicture({ ...options, seed: 'b' });
    expect(other.image.data).not.toEqual(once.image.data);
    expect(other.mask.data).not.toEqual(once.mask.data);
  });

  it.each(objectNames)('masks the %s and nothing else: it stays when the scene changes, the rest does not', (name) => {
    const [lawn, brick] = (['lawn', 'brick'] as const).map((environment) =>
      drawPicture({ look: lookOf(name), environment, seed: name, sizePx }),
    );
    expect(brick.mask.data).toEqual(lawn.mask.data);
    const { object, background } = inner(lawn.mask);
    expect(object.length).toBeGreaterThan(80);
    for (const i of object) expect(pixelAt(brick.image.data, i)).toBe(pixelAt(lawn.image.data, i));
    const same = background.filter((i) => pixelAt(brick.image.data, i) === pixelAt(lawn.image.data, i));
    expect(same.length / background.length).toBeLessThan(0.01);
  });

  it("masks exactly the pixels whose rays pass within the ball's radius of its middle", () => {
    const look: ObjectLook = { ...lookOf('ball'), size: 1 };
    const { mask } = drawPicture({ look, environment: 'lawn', seed: 'ball', sizePx });
    const random = randomFor('demo picture', 'ball');
    const middle = [(random.uniform() - 0.5) * 1.1 - eye[0], 0.86 - eye[1], (random.uniform() - 0.5) * 0.9 - eye[2]];
    const hit = (x: number, y: number) => {
      const ray = [0.8 * (x / sizePx - 0.5), -0.8 * (y / sizePx - 0.4), 1];
      const along = (ray[0] * middle[0] + ray[1] * middle[1] + ray[2] * middle[2]) / Math.hypot(...ray);
      return Math.sqrt(Math.hypot(...middle) ** 2 - along ** 2) < 0.86;
    };
    let different = 0;
    for (let y = 0; y < sizePx; y++)
      for (let x = 0; x < sizePx; x++) {
        const hits = [0.25, 0.75].flatMap((dx) => [0.25, 0.75].map((dy) => hit(x + dx, y + dy)));
        const expected = hits.filter(Boolean).length >= 2 ? 255 : 0;
        if (mask.data[y * sizePx + x] !== expected) different++;
      }
    // Tracing stops 0.4 thousandths before the surface, so a grazing ray may count.
    expect(different).toBeLessThanOrEqual(1);
  });

  it.each(environmentNames)('keeps every object inside the frame and of a fair size, before %s', (environment) => {
    for (const name of objectNames)
      for (let i = 0; i < 4; i++) {
        const { mask } = drawPicture({ look: lookOf(name, i), environment, seed: `${name} ${i}`, sizePx: 40 });
        const { x, y, width, height } = boundingBox(mask) as { x: number; y: number; width: number; height: number };
        expect(areaShare(mask)).toBeGreaterThan(0.04);
        expect(areaShare(mask)).toBeLessThan(0.4);
        expect(Math.min(x, y, 40 - x - width, 40 - y - height), `${name} ${i}`).toBeGreaterThan(0);
      }
  });
});
