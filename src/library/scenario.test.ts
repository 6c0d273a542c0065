import { describe, expect, it } from 'vitest';
import { createMask, createRaster } from '../image/raster.ts';
import { scenario } from './scenario.ts';

describe('a scenario of the library', () => {
  it.each(['blur-background', 'bright-background', 'random-background:without-border'])(
    '%s sees what is in a picture now, not what was in it before',
    async (name) => {
      const image = createRaster(16, 16);
      const mask = { ...createMask(16, 16), ignore: new Uint8Array(256) };
      const options = { backgrounds: [createRaster(16, 16, new Uint8Array(768).fill(90))] };
      const fill = (level: number, from: number) => {
        image.data.set(Uint8Array.from(image.data, (_, i) => level + 7 * i));
        mask.data.fill(0).fill(255, from, from + 100);
        mask.ignore.fill(0).fill(255, from, from + 20);
      };
      fill(10, 0);
      await scenario(name).apply({ image, mask }, options);
      fill(140, 90);
      const again = await scenario(name).apply({ image, mask }, options);
      const copied = { image: structuredClone(image), mask: structuredClone(mask) };
      expect(again).toEqual(await scenario(name).apply(copied, options));
    },
  );
});
