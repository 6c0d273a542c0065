import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeComplexity } from '../image/complexity.ts';
import { meanAmplitude } from '../image/fft.ts';
import { createRaster } from '../image/raster.ts';
import { randomFor } from '../stats/random.ts';
import { complexity } from './complexity.ts';
import { drawExample } from './gallery/example.ts';
import { createSceneSource } from './scene.ts';

const example = drawExample({ width: 96, height: 70, seed: 3 });
const never = () => Promise.reject(new Error('not asked for'));
const sceneWith = () =>
  createSceneSource({
    sample: { id: 'x' },
    ...example,
    seed: 1,
    pool: { background: never, other: never, generated: never, paint: never },
  }).scene('x');

describe('changeComplexity', () => {
  it.each([-60, -20, -5, 5, 20, 100])('changes the mean amplitude by %i %%, to within one', (percent) => {
    const before = meanAmplitude(example.image);
    const after = meanAmplitude(changeComplexity(example.image, 1 + percent / 100));
    expect(after / before).toBeGreaterThan(0.99 * (1 + percent / 100));
    expect(after / before).toBeLessThan(1.01 * (1 + percent / 100));
  });

  // Made by the loops over JavaScript arrays that the kernels stand for (commit 8ad2e62): small factors, primes, more lines
  // than go at a time.
  it.each([
    [96, 70, 'd341e02928b7b860'],
    [71, 53, '699fd1288d2353c8'],
    [40, 97, '3f080855158aa4d5'],
    [131, 66, '8860c97fe9e556f1'],
  ])('gives the same bytes as ever at %i × %i', (width, height, expected) => {
    const { image } = drawExample({ width, height, seed: 3 });
    const hash = createHash('sha256');
    for (const factor of [0.8, 1.2]) hash.update(changeComplexity(image, factor).data);
    expect(hash.digest('hex').slice(0, 16)).toBe(expected);
  });

  it('accounts for clipping: black and white noise can hardly be made busier, and does not come out simpler', () => {
    const random = randomFor('noise');
    const noise = createRaster(
      40,
      30,
      Uint8Array.from({ length: 3600 }, () => random.integer(0, 1) * 255),
    );
    expect(meanAmplitude(changeComplexity(noise, 1.5))).toBeGreaterThan(0.99 * meanAmplitude(noise));
  });

  it('keeps the mean colour', () => {
    const mean = (data: Uint8Array) => data.reduce((a, b) => a + b, 0) / data.length;
    expect(mean(changeComplexity(example.image, 0.6).data)).toBeCloseTo(mean(example.image.data), 0);
  });

  it('has nothing to change in a picture of one colour', () => {
    const flat = createRaster(8, 6, new Uint8Array(144).fill(77));
    expect(changeComplexity(flat, 2).data).toEqual(flat.data);
  });
});

describe('complexity', () => {
  it('measures the filled background, and leaves the object as it is', async () => {
    const scene = sceneWith();
    const made = await complexity.apply(scene, { change: 20 });
    const edited = changeComplexity(scene.filled(), 1.2);
    if ('image' in made) throw new Error('a raster was expected');
    example.mask.data.forEach((inside, i) => {
      const from = inside ? example.image : edited;
      expect(made.data.subarray(i * 3, i * 3 + 3)).toEqual(from.data.subarray(i * 3, i * 3 + 3));
    });
  });
});
