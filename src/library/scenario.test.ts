import { describe, expect, it } from 'vitest';
import { UserError } from '../contracts/errors.ts';
import { createMask, createRaster } from '../image/raster.ts';
import { analyze, compare, report, score } from './commands.ts';
import { openDataset } from './dataset.ts';
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

  const image = createRaster(4, 4);
  const mask = createMask(4, 4);
  it.each([
    [{ image: { ...image, data: new Uint8Array(64) }, mask }, /three bytes a pixel .* for image .*'4×4 and 64 bytes'$/],
    [{ image, mask: createMask(3, 4) }, /^Expected 4×4 pixels, as the image for mask but received '3×4'$/],
    [{ image, mask: { ...mask, data: new Uint8Array(5) } }, /one byte a pixel for mask/],
    [{ mask } as never, /for image but received nothing$/],
  ])('refuses what would give a wrong picture (%#)', async (picture, message) => {
    const given = scenario('blur-background').apply(picture);
    await expect(given).rejects.toThrow(message);
    await expect(given).rejects.toBeInstanceOf(UserError);
  });

  it('refuses backgrounds that are no pixels', async () => {
    const backgrounds = ['beach.jpg'] as never;
    await expect(scenario('random-background').apply({ image, mask }, { backgrounds })).rejects.toThrow(
      /for backgrounds: image but received/,
    );
  });

  it('says that a preset is none', () => {
    expect(() => scenario('quick')).toThrow(
      /^Expected one scenario for scenario but received 'quick'; it is a preset, of /,
    );
    expect(() => scenario(5 as never)).toThrow('Expected a name for scenario but received 5');
  });
});

describe('a wrong argument', () => {
  it.each([
    ['a path', () => score(undefined as never), 'Expected a path for a run or table but received nothing'],
    ['a path', () => compare('here', null as never), /for a run or table but received null|no such file/],
    ['a path', () => openDataset(5 as never), 'Expected a path for the dataset but received 5'],
    [
      'a word',
      () => report('here', { format: 'pdf' as never }),
      'Expected one of html, md, csv, latex, json for format',
    ],
    ['a word', () => score('here', { count: 'some' as never }), 'Expected one of shifts, all for count'],
    ['a word', () => analyze('here', { robust: 'hc9' as never }), 'Expected one of hc0, hc1, hc2, hc3 for robust'],
    [
      'a word',
      () => openDataset('here', { objects: 'all' as never }),
      'Expected one of largest, class, each for objects',
    ],
  ])('is %s that is named (%#)', async (_, call, message) => {
    await expect(call()).rejects.toThrow(message);
    await expect(call()).rejects.toBeInstanceOf(UserError);
  });
});
