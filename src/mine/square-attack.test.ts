import { describe, expect, it } from 'vitest';
import { createRaster } from '../image/raster.ts';
import { randomFor } from '../stats/random.ts';
import { squareAttack } from './square-attack.ts';

const size = 12;
const grey = createRaster(size, size, new Uint8Array(size * size * 3).fill(128));
const random = randomFor('linear');
/** A linear model: the most that ε can take from its margin is ε Σ|w|. */
const weights = Float64Array.from(
  { length: grey.data.length },
  (_, i) => (Math.floor(i / 9) % 2 ? 1 : -1) * (0.5 + random.uniform()),
);
const reach = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
const linear = (start: number) => async (image: typeof grey) =>
  start + image.data.reduce((sum, value, i) => sum + weights[i] * (value - 128), 0);

describe('square attack', () => {
  it('stays within ε and within its questions, and never raises the margin', async () => {
    let asked = 0;
    const model = linear(1e9);
    const result = await squareAttack(
      grey,
      (image) => {
        asked++;
        return model(image);
      },
      {
        epsilon: 4,
        queries: 120,
        random: randomFor(1),
      },
    );
    expect(asked).toBe(120);
    expect(result).toMatchObject({ fooled: false, queries: 120 });
    expect(Math.max(...result.image.data.map((value) => Math.abs(value - 128)))).toBe(4);
    expect(result.margin).toBeLessThan(1e9);
  });

  it('fools a linear model whose margin is well inside what ε can take, and not one far outside', async () => {
    const inside = await squareAttack(grey, linear(0.3 * 4 * reach), {
      epsilon: 4,
      queries: 3000,
      random: randomFor(2),
    });
    expect(inside.fooled).toBe(true);
    const outside = await squareAttack(grey, linear(1.2 * 4 * reach), {
      epsilon: 4,
      queries: 600,
      random: randomFor(2),
    });
    expect(outside.fooled).toBe(false);
    expect(outside.margin).toBeGreaterThanOrEqual(0.2 * 4 * reach - 1e-6);
  });

  it('a picture that is wrong already costs one question and stays as it is', async () => {
    expect(await squareAttack(grey, linear(-1), { random: randomFor(3) })).toEqual({
      fooled: true,
      queries: 1,
      margin: -1,
      image: grey,
    });
  });

  it('is the same for the same seed', async () => {
    const run = () => squareAttack(grey, linear(1e6), { queries: 50, random: randomFor('same') });
    expect(await run()).toEqual(await run());
  });
});
