import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleError } from '../../contracts/errors.ts';
import { compose } from '../../image/compose.ts';
import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { randomFor } from '../../stats/random.ts';
import type { Scene, Variant } from '../define.ts';
import { scenarios } from '../registry.ts';

const corruptions = scenarios.filter(({ family }) => family === 'corruption');
const ids = corruptions.map(({ id }) => id);

function sceneOf(image: Raster, mask?: Mask): Scene {
  const refuse = (): never => {
    throw new Error('not for a corruption');
  };
  return {
    sample: { id: 'sample' },
    image,
    get mask() {
      if (!mask) throw new SampleError('mask-missing', 'no mask');
      return mask;
    },
    hasMask: mask !== undefined,
    random: randomFor(7, 'sample'),
    object: refuse,
    paste: refuse,
    filled: refuse,
    background: refuse,
    other: refuse,
    generated: refuse,
    paint: refuse,
  };
}

async function corrupt(id: string, severity: number, region: string, image: Raster, mask?: Mask): Promise<Variant> {
  const scenario = corruptions.find((corruption) => corruption.id === id)!;
  const made = await scenario.apply(sceneOf(image, mask), { severity, region });
  return 'image' in made ? made : { image: made };
}

const picture = (width: number, height: number, seed = 1) => {
  const random = randomFor(seed, width, height);
  return createRaster(
    width,
    height,
    Uint8Array.from({ length: width * height * 3 }, (_, i) =>
      i < width * height ? random.integer(0, 255) : (i * 7) % 200,
    ),
  );
};
const disc = (width: number, height: number) =>
  createMask(
    width,
    height,
    Uint8Array.from({ length: width * height }, (_, i) =>
      Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2) < Math.min(width, height) / 3 ? 255 : 0,
    ),
  );

it('there are the fifteen of ImageNet-C and its four extra ones', () => {
  expect(ids).toEqual(
    'brightness contrast defocus-blur elastic fog frost gaussian-blur gaussian-noise glass-blur impulse-noise jpeg motion-blur pixelate saturate shot-noise snow spatter speckle-noise zoom-blur'.split(
      ' ',
    ),
  );
});

describe.each(ids)('%s', (id) => {
  it('is the same corruption on any region: object and background together are the whole', async () => {
    const image = picture(48, 36);
    const mask = disc(48, 36);
    for (const severity of [1, 3, 5]) {
      const whole = await corrupt(id, severity, 'image', image, mask);
      const object = await corrupt(id, severity, 'object', image, mask);
      const background = await corrupt(id, severity, 'background', image, mask);
      expect(Buffer.compare(compose(object.image, background.image, mask).data, whole.image.data)).toBe(0);
      expect(Buffer.compare(compose(background.image, object.image, mask).data, image.data)).toBe(0);
      expect([object.mask, background.mask]).toEqual([undefined, undefined]);
    }
  });

  it('needs a mask for a region alone', async () => {
    const image = picture(12, 9);
    await expect(corrupt(id, 2, 'image', image)).resolves.toHaveProperty('image.width', 12);
    await expect(corrupt(id, 2, 'background', image)).rejects.toBeInstanceOf(SampleError);
    await expect(corrupt(id, 2, 'object', image)).rejects.toBeInstanceOf(SampleError);
  });

  it('takes a picture of any size and leaves it as it was', async () => {
    const size = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        fc.integer({ min: 1, max: 5 }),
        fc.integer(),
        async (width, height, severity, seed) => {
          const image = picture(width, height, seed);
          const before = image.data.slice();
          const made = await corrupt(id, severity, 'image', image, disc(width, height));
          expect([made.image.width, made.image.height, made.image.data.length]).toEqual([
            width,
            height,
            3 * width * height,
          ]);
          expect(Buffer.compare(image.data, before)).toBe(0);
        },
      ),
      { numRuns: 25, seed: 1 },
    );
  });

  it('gets no weaker from severity 1 to 5', async () => {
    // Saturation first fades and then intensifies, elastic first shears and then warps: their severities have no order.
    if (id === 'saturate' || id === 'elastic') return;
    const image = smooth(96, 72);
    const changes = [];
    for (const severity of [1, 5]) {
      const { data } = (await corrupt(id, severity, 'image', image)).image;
      changes.push(data.reduce((sum, value, i) => sum + Math.abs(value - image.data[i]), 0) / data.length);
    }
    expect(changes[0]).toBeGreaterThan(0.1);
    expect(changes[1]).toBeGreaterThan(changes[0]);
  });
});

const smooth = (width: number, height: number) =>
  createRaster(
    width,
    height,
    Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const x = Math.floor(i / 3) % width;
      const y = Math.floor(i / 3 / width);
      return 110 + 60 * Math.sin(x / 3 + (i % 3)) + 50 * Math.cos(y / 4);
    }),
  );

describe('an even picture', () => {
  it.each([
    'defocus-blur',
    'glass-blur',
    'motion-blur',
    'zoom-blur',
    'elastic',
    'pixelate',
    'jpeg',
    'contrast',
    'gaussian-blur',
  ])('stays even under %s, but for a level lost to truncation', async (id) => {
    const image = createRaster(30, 22, new Uint8Array(30 * 22 * 3).fill(151));
    for (const severity of [1, 2, 3, 4, 5]) {
      const { data } = (await corrupt(id, severity, 'image', image)).image;
      // JPEG may round the mean of a block to the next step of its table.
      const slack = id === 'jpeg' ? 8 : 2;
      expect(Math.max(...data) - 151).toBeLessThanOrEqual(slack);
      expect(151 - Math.min(...data)).toBeLessThanOrEqual(slack);
    }
  });
});

describe('elastic', () => {
  it('moves the mask with the object', async () => {
    const mask = disc(64, 48);
    const image = createRaster(
      64,
      48,
      Uint8Array.from({ length: 64 * 48 * 3 }, (_, i) => mask.data[Math.floor(i / 3)]),
    );
    const made = await corrupt('elastic', 2, 'image', image, { ...mask, ignore: mask.data });
    expect(made.mask?.data).not.toEqual(mask.data);
    expect(made.mask?.data).toEqual(made.mask?.ignore);
    expect(made.mask?.data).toEqual(mask.data.map((_, i) => (made.image.data[3 * i] >= 128 ? 255 : 0)));
  });

  it('leaves the mask out where there is none', async () => {
    expect((await corrupt('elastic', 2, 'image', picture(20, 20))).mask).toBeUndefined();
  });
});
