import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../image/raster.ts';
import { randomFor } from '../../../stats/random.ts';
import { frostTexture } from './frost-texture.ts';

const means = ({ data }: Raster) =>
  [0, 1, 2].map((c) => data.reduce((sum, value, i) => (i % 3 === c ? sum + value : sum), 0) / (data.length / 3));

describe('frostTexture', () => {
  it('is pale blue, half bright ice and half darker glass', () => {
    for (let seed = 0; seed < 8; seed++) {
      const texture = frostTexture(240, 180, randomFor(seed));
      const [red, green, blue] = means(texture);
      expect(green).toBeGreaterThan(90);
      expect(green).toBeLessThan(165);
      expect(green - red).toBeGreaterThan(10);
      expect(blue - green).toBeGreaterThan(10);
      const greens = texture.data.filter((_, i) => i % 3 === 1).sort();
      expect(greens[Math.floor(0.05 * greens.length)]).toBeLessThan(90);
      expect(greens[Math.floor(0.97 * greens.length)]).toBeGreaterThan(200);
    }
  });

  it('depends on the generator alone', () => {
    expect(frostTexture(50, 40, randomFor(1)).data).toEqual(frostTexture(50, 40, randomFor(1)).data);
    expect(frostTexture(50, 40, randomFor(1)).data).not.toEqual(frostTexture(50, 40, randomFor(2)).data);
  });

  it.each([
    [1, 1],
    [1, 200],
    [1500, 3],
  ])('is made at %i × %i', (width, height) => {
    expect(frostTexture(width, height, randomFor(3)).data.length).toBe(width * height * 3);
  });
});
