import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createRaster } from '../../image/raster.ts';
import { scenarios } from '../registry.ts';
import { drawExample } from './example.ts';
import { drawLabel, glyphWidth } from './label.ts';
import { refreshPage } from './markdown.ts';
import { galleryScenarios, sheetSize } from './sheet.ts';

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
