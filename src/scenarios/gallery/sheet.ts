import { createRaster, type Raster, type Rgb } from '../../image/raster.ts';
import { resize } from '../../image/resize.ts';
import { cover } from '../cover.ts';
import { type NamedScenario, parseScenario } from '../name.ts';
import { scenarios } from '../registry.ts';
import { applyScenario, createSceneSource, type ScenePool } from '../scene.ts';
import { drawExample } from './example.ts';
import { drawLabel, glyphHeight, glyphWidth } from './label.ts';

const columns = 6;
const tile = { width: 160, height: 120, gap: 8, label: 26 };
const paper: Rgb = [255, 255, 255];
const ink: Rgb = [40, 44, 52];

/** Settings worth a picture of their own, beside each scenario's defaults. */
const extra: Record<string, string[]> = {
  grey: ['grey:background'],
  lighting: ['lighting:over', 'lighting:under', 'lighting:gamma'],
  'white-balance': ['white-balance:10000'],
  size: ['size:full', 'size:0.05'],
  complexity: ['complexity:-20', 'complexity:20'],
  fog: ['fog:region=background', 'fog:region=object'],
};

/** What the gallery shows: every scenario, in the order of the list. */
export const galleryScenarios = (): NamedScenario[] => {
  const names = scenarios.flatMap(({ id }) => [id, ...(extra[id] ?? [])]).map((name) => parseScenario(name));
  return [...new Map(names.map((named) => [named.name, named])).values()];
};

const stepX = tile.width + tile.gap;
const stepY = tile.height + tile.label + tile.gap;

export const sheetSize = (tiles: number) => ({
  width: columns * stepX + tile.gap,
  height: Math.ceil(tiles / columns) * stepY + tile.gap,
});

/** One drawn picture under every scenario, labelled with its name. */
export async function drawSheet(shown = galleryScenarios()): Promise<Raster> {
  const photograph = drawExample({ seed: 1 });
  const dusk = drawExample({ seed: 2, scenery: 'dusk', object: false }).image;
  const desert = drawExample({ seed: 2, scenery: 'desert', object: false }).image;
  const other = drawExample({ seed: 3, scenery: 'desert' });
  const pool: ScenePool = {
    background: async (_random, _sample, width, height) => cover(dusk, width, height),
    other: async () => other,
    generated: async () => desert,
    paint: async () => desert,
  };
  const source = createSceneSource({ sample: { id: 'teapot', label: 'teapot' }, ...photograph, seed: 1, pool });

  const { width, height } = sheetSize(shown.length);
  const sheet = createRaster(width, height);
  for (let i = 0; i < sheet.data.length; i++) sheet.data[i] = paper[i % 3];
  for (const [position, { scenario, params, name }] of shown.entries()) {
    const { image } = await applyScenario(scenario, source.scene(name), params);
    const { x, y } = tileBox(position);
    paste(sheet, resize(image, tile.width, tile.height, 'lanczos'), x, y);
    paste(sheet, tileLabel(name), x, y + tile.height);
  }
  return sheet;
}

/** Where a tile's picture stands on the sheet; its label is below. */
export const tileBox = (position: number) => ({
  x: tile.gap + (position % columns) * stepX,
  y: tile.gap + Math.floor(position / columns) * stepY,
  width: tile.width,
  height: tile.height,
});

/** A scenario's name on paper, as wide as its tile and the gap beside it. */
export function tileLabel(name: string): Raster {
  const label = createRaster(stepX, tile.label);
  for (let i = 0; i < label.data.length; i++) label.data[i] = paper[i % 3];
  for (const [line, text] of labelLines(name).entries()) drawLabel(label, text, 0, 4 + line * (glyphHeight + 1), ink);
  return label;
}

/** A name too long for its tile goes on below, from a plus sign. */
function labelLines(name: string): string[] {
  const plus = name.indexOf('+');
  return name.length * glyphWidth <= tile.width || plus < 0 ? [name] : [name.slice(0, plus), name.slice(plus)];
}

export function paste(onto: Raster, picture: Raster, left: number, top: number): void {
  for (let y = 0; y < picture.height; y++) {
    const row = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3);
    onto.data.set(row, ((top + y) * onto.width + left) * 3);
  }
}
