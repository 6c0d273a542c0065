import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createRaster } from '../../image/raster.ts';
import { scenarios } from '../registry.ts';
import { drawExample } from './example.ts';
import { drawLabel, glyphWidth } from './label.ts';
import { refreshPage } from './markdown.ts';
import { galleryScenarios, sheetSize, tileBox, tileLabel } from './sheet.ts';

describe('the documentation page', () => {
  const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8');

  it('has the tables the declarations give; npm run docs:scenarios makes them anew', () => {
    expect(page).toBe(refreshPage(page));
    for (const { id } of scenarios) expect(page).toContain(`| \`${id}\` |`);
  });

  it('is refused without its marks', () => {
    expect(() => refreshPage('# Scenarios')).toThrow('the page lacks <!-- scenarios: begin');
  });
});

it('the picture in the documentation shows every scenario by name, in its place', async () => {
  const file = fileURLToPath(new URL('../../../docs/images/scenarios.jpg', import.meta.url));
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  /** Mean difference of a part of the sheet from what should stand there, or from one colour. */
  const difference = (left: number, top: number, width: number, height: number, level: (i: number) => number) => {
    let sum = 0;
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width * 3; x++, i++)
        sum += Math.abs((data[((top + y) * info.width + left) * 3 + x] ?? 0) - level(i));
    return sum / (width * height * 3);
  };
  for (const [position, { name }] of galleryScenarios().entries()) {
    const { x, y, width, height } = tileBox(position);
    const label = tileLabel(name);
    const off = (wanted: typeof label) => difference(x, y + height, label.width, label.height, (i) => wanted.data[i]);
    const message = `label of ${name}; npm run docs:scenarios makes the picture anew`;
    expect(off(label), message).toBeLessThan(off(tileLabel('another-name')) / 2);
    expect(
      difference(x, y, width, height, () => 255),
      `tile of ${name}`,
    ).toBeGreaterThan(10);
  }
});

it('the picture in the documentation has a tile for each of them', async () => {
  const { width, height } = await sharp(
    fileURLToPath(new URL('../../../docs/images/scenarios.jpg', import.meta.url)),
  ).metadata();
  expect({ width, height }).toEqual(sheetSize(galleryScenarios().length));
});

it('the gallery shows every scenario, each name once', () => {
  const shown = galleryScenarios();
  expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
  for (const { id } of scenarios) expect(shown.some(({ scenario }) => scenario.id === id)).toBe(true);
});

describe('the drawn example', () => {
  it('is the same for the same seed, and has an object well inside the frame', () => {
    const one = drawExample({ width: 40, height: 30 });
    expect(drawExample({ width: 40, height: 30 })).toEqual(one);
    expect(drawExample({ width: 40, height: 30, seed: 2 }).image.data).not.toEqual(one.image.data);
    const share = one.mask.data.filter(Boolean).length / one.mask.data.length;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.4);
    expect(one.mask.data.slice(0, 40).some(Boolean)).toBe(false);
  });

  it('can leave the object out', () => {
    expect(drawExample({ width: 20, height: 15, object: false }).mask.data.some(Boolean)).toBe(false);
  });
});

describe('labels', () => {
  it('have a glyph for every sign a name can have, no two alike', () => {
    const drawn = [...'abcdefghijklmnopqrstuvwxyz0123456789-.:=+'].map((sign) => {
      const picture = createRaster(glyphWidth, 9);
      drawLabel(picture, sign, 0, 0, [1, 1, 1]);
      expect(picture.data.some(Boolean), sign).toBe(true);
      return picture.data.join('');
    });
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it('stay inside the picture', () => {
    const picture = createRaster(8, 4);
    expect(() => drawLabel(picture, 'too long to fit', -3, -2, [255, 0, 0])).not.toThrow();
  });
});
