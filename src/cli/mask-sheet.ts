import { extname } from 'node:path';
import { expected } from '../contracts/errors.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { drawMaskTile } from '../dataset/check/mask-tile.ts';
import type { DoubtfulMask } from '../dataset/check/report.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { escapeHtml } from '../formats/escape.ts';
import { replaceFile } from '../formats/replace-file.ts';
import { decodeImage } from '../image/decode.ts';
import { encodeImage } from '../image/encode.ts';
import { createRaster, type Raster } from '../image/raster.ts';
import { drawLabel, glyphHeight, glyphWidth } from '../scenarios/gallery/label.ts';
import { paste } from '../scenarios/gallery/sheet.ts';

const mostTiles = 60;
const tilePx = 180;
const gapPx = 8;
const linePx = glyphHeight + 3;

interface Tile {
  readonly sample: string;
  readonly picture: Raster;
  readonly lines: readonly string[];
}

/** Doubtful masks on one sheet, the worst first: what is background grey, what is uncertain yellow, the outline red. */
export async function writeMaskSheet(
  file: string,
  dataset: Dataset,
  doubtful: readonly DoubtfulMask[],
  mend: string,
): Promise<void> {
  const kind = extname(file).toLowerCase();
  if (!['.jpg', '.jpeg', '.png', '.html'].includes(kind))
    throw expected('a name that ends in .jpg, .png or .html', '--sheet', file);
  const byId = new Map(dataset.samples.filter(({ mask }) => mask).map((sample) => [sample.id, sample]));
  const tiles: Tile[] = [];
  for (const { sample: id, doubts } of doubtful.slice(0, mostTiles)) {
    const sample = byId.get(id);
    if (!sample) continue;
    tiles.push({ sample: id, picture: await drawTile(sample), lines: doubts.map(({ message }) => message) });
  }
  if (kind === '.html') await replaceFile(file, await htmlSheet(tiles, doubtful.length, mend));
  else await replaceFile(file, await encodeImage(drawSheet(tiles), { format: kind === '.png' ? 'png' : 'jpeg' }));
}

async function drawTile(sample: Sample): Promise<Raster> {
  const image = await decodeImage(sample.image);
  const { width, height } = image;
  const { mask } = await loadMask(sample.mask as NonNullable<Sample['mask']>, { width, height, path: sample.image });
  return drawMaskTile(image, mask, tilePx);
}

function drawSheet(tiles: readonly Tile[]): Raster {
  const columns = Math.min(6, Math.max(1, tiles.length));
  const perLine = Math.floor(tilePx / glyphWidth);
  const captions = tiles.map(({ sample, lines }) =>
    [sample, ...lines].flatMap((text) => wrapped(text.toLowerCase().replaceAll('%', 'percent'), perLine)),
  );
  const captionLines = captions.reduce((most, lines) => Math.max(most, lines.length), 0);
  const [stepX, stepY] = [tilePx + gapPx, tilePx + captionLines * linePx + 2 * gapPx];
  const sheet = createRaster(columns * stepX + gapPx, Math.max(1, Math.ceil(tiles.length / columns)) * stepY + gapPx);
  sheet.data.fill(255);
  for (const [i, { picture }] of tiles.entries()) {
    const [x, y] = [gapPx + (i % columns) * stepX, gapPx + Math.floor(i / columns) * stepY];
    paste(sheet, picture, x, y);
    for (const [line, text] of captions[i].entries())
      drawLabel(sheet, text, x, y + tilePx + 4 + line * linePx, line === 0 ? [40, 44, 52] : [190, 30, 30]);
  }
  return sheet;
}

/** Lines no wider than a picture; at most three, since a path may be long. */
function wrapped(text: string, perLine: number): string[] {
  const lines = [''];
  for (const word of text.split(/(?<=[ /])/)) {
    if ((lines[lines.length - 1] + word).trimEnd().length > perLine && lines[lines.length - 1]) lines.push('');
    lines[lines.length - 1] += word;
  }
  return lines.slice(0, 3);
}

async function htmlSheet(tiles: readonly Tile[], found: number, mend: string): Promise<string> {
  const figures = await Promise.all(
    tiles.map(async ({ sample, picture, lines }) => {
      const jpeg = Buffer.from(await encodeImage(picture, { format: 'jpeg', quality: 85 })).toString('base64');
      const words = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
      return `<figure><img alt="" src="data:image/jpeg;base64,${jpeg}"><figcaption>${escapeHtml(sample)}<ul>${words}</ul></figcaption></figure>`;
    }),
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Doubtful masks</title>
<style>body{font:14px system-ui;margin:1rem}main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:${tilePx}px;overflow-wrap:anywhere}ul{margin:.2rem 0;padding-left:1rem;color:#b01e1e}</style>
<h1>Doubtful masks: ${found}</h1>
<p>The worst first${found > tiles.length ? `, ${tiles.length} of them` : ''}. Grey is background, yellow is uncertain, the outline is red. Mend them: <code>${escapeHtml(mend)}</code></p>
<main>${figures.join('\n')}</main></html>
`;
}
