import type { Sample } from '../../contracts/sample.ts';
import { fillWith } from '../../image/crop.ts';
import { createRaster, type Raster, type Rgb } from '../../image/raster.ts';
import { resize } from '../../image/resize.ts';
import { listBackgrounds } from '../../run/list-pictures.ts';
import type { PhotographOptions } from '../../run/photograph.ts';
import { createVariantMaker } from '../../run/variants.ts';
import { drawLabel, glyphHeight, glyphWidth } from '../../scenarios/gallery/label.ts';
import { paste } from '../../scenarios/gallery/sheet.ts';
import type { NamedScenario } from '../../scenarios/name.ts';
import type { StoredAnswer } from './answers.ts';

export interface SheetOptions {
  /** All samples of the dataset: other pictures' scenes come from them. */
  readonly samples: readonly Sample[];
  readonly shown: readonly { readonly sample: Sample; readonly title: readonly string[] }[];
  readonly scenarios: readonly NamedScenario[];
  readonly models: readonly string[];
  readonly answers: readonly StoredAnswer[];
  readonly seed: number;
  /** Folder. */
  readonly backgrounds: string;
  /** Folder. */
  readonly generated: string;
  readonly photographs: PhotographOptions;
}

const tilePx = 96;
const gapPx = 6;
const linePx = glyphHeight + 4;
const titlePx = 102;
const perLine = Math.floor(tilePx / glyphWidth);
const paper: Rgb = [255, 255, 255];
const frame: Rgb = [205, 208, 214];
const ink: Rgb = [40, 44, 52];
const right: Rgb = [20, 125, 60];
const wrong: Rgb = [200, 35, 30];

/** A row for each sample shown, a column for each scenario; below each picture, what the models say it is. */
export async function drawSheet(options: SheetOptions): Promise<Raster> {
  const { shown, scenarios, models, answers, samples, seed, photographs, generated } = options;
  const heads = scenarios.map(({ name }) => breakName(name));
  const headLines = Math.max(...heads.map((lines) => lines.length));
  const [stepX, stepY] = [tilePx + gapPx, tilePx + models.length * linePx + gapPx];
  const top = 2 * gapPx + (headLines + 2) * linePx;
  const legend = `answers below each picture: ${models.join(' then ')}.  red is wrong`;
  const width = Math.max(scenarios.length * stepX, legend.length * glyphWidth);
  const sheet = createRaster(titlePx + width + gapPx, top + shown.length * stepY + gapPx);
  fillWith(sheet.data, paper);
  drawLabel(sheet, legend, titlePx, gapPx, ink);
  for (const [column, lines] of heads.entries()) {
    for (const [i, line] of lines.entries())
      drawLabel(sheet, line, titlePx + column * stepX, top - (lines.length - i) * linePx, ink);
  }

  const isShown = new Set(shown.map(({ sample }) => sample.id));
  const answerOf = new Map(
    answers
      .filter(({ model, sample }) => models.includes(model) && isShown.has(sample))
      .map((answer) => [[answer.model, answer.scenario, answer.sample].join('\n'), answer]),
  );
  const backgrounds = await listBackgrounds(options.backgrounds);
  const maker = createVariantMaker({ samples, seed, photographs, backgrounds, generated });
  for (const [row, { sample, title }] of shown.entries()) {
    const y = top + row * stepY;
    for (const [i, line] of title.entries()) drawLabel(sheet, line, gapPx, y + 2 + i * linePx, ink);
    const { variant } = await maker.load(sample);
    for (const [column, { name }] of scenarios.entries()) {
      const { image } = await variant(name);
      const x = titlePx + column * stepX;
      fill(sheet, x - 1, y - 1, tilePx + 2, frame);
      paste(sheet, resize(image, tilePx, tilePx, 'lanczos'), x, y);
      for (const [m, model] of models.entries()) {
        const answer = answerOf.get([model, name, sample.id].join('\n'));
        const below = y + tilePx + 3 + m * linePx;
        if (answer) drawLabel(sheet, answer.prediction.slice(0, perLine), x, below, answer.correct ? right : wrong);
      }
    }
  }
  return sheet;
}

/** Seen around white pictures on white paper. */
function fill(sheet: Raster, left: number, top: number, sizePx: number, colour: Rgb): void {
  for (let y = top; y < top + sizePx; y++)
    for (let x = left; x < left + sizePx; x++) sheet.data.set(colour, (y * sheet.width + x) * 3);
}

/** `random-background-additive` in lines no wider than a picture. */
function breakName(name: string): string[] {
  const lines = [''];
  for (const part of name.split(/(?<=[-:+])/)) {
    if (lines[lines.length - 1].length + part.length > perLine) lines.push(part);
    else lines[lines.length - 1] += part;
  }
  return lines;
}
