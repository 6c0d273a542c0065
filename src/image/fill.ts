import type { Random } from '../contracts/random.ts';
import { complete, type Stage } from './fill/complete.ts';
import { diffuse } from './fill/diffuse.ts';
import { enlarge } from './fill/enlarge.ts';
import { coverage, depths, type Hole, patches } from './fill/hole.ts';
import { fromLevel, halve, type Level, toLevel, writeTexture } from './fill/pyramid.ts';
import { dilate } from './mask-ops.ts';
import { createRaster, type Mask, type Raster } from './raster.ts';

export interface FillOptions {
  /**
   * How far the mask is grown first, so that the fringe of fur and the shadow where it stands go with the object. By
   * default 1.25 % of the longer side, at least 2 pixels.
   */
  growPx?: number;
}

/** Larger levels are not searched; the filling is carried up to them. */
const largestSearched = { pixels: 1_000_000, side: 16_000 };

/**
 * Removes the object: what its mask covers is filled with patches from elsewhere in the photograph, coarse to fine (see
 * docs/filling.md). Where hardly any background is left, the hole is filled smoothly; where none is, with the mean colour.
 */
export function fillHole(image: Raster, mask: Mask, random: Random, { growPx }: FillOptions = {}): Raster {
  const { width, height } = image;
  const radius = growPx ?? Math.max(2, Math.round(Math.max(width, height) * 0.0125));
  const hole = growAsFarAsPossible(mask, radius);
  if (!hole.data.includes(255)) return createRaster(width, height, image.data.slice());
  if (!hole.data.includes(0)) return meanColour(image);

  const levels = [toLevel(image, hole)];
  const tooLarge = ({ width: w, height: h }: Level) =>
    w * h > largestSearched.pixels || Math.max(w, h) > largestSearched.side;
  while (tooLarge(levels[0])) levels.unshift(halve(levels[0]));
  const [searched, ...larger] = levels;

  const stages = plan(searched);
  if (stages) {
    const found = complete(stages, random);
    let choices = larger.length > 0 ? found.slice() : found;
    larger.forEach((level, i) => {
      choices = enlarge(level, levels[i], choices);
    });
  } else {
    diffuse(levels[levels.length - 1]);
  }

  return fromLevel(levels[levels.length - 1], image);
}

/** Growing must leave something to copy from. */
function growAsFarAsPossible({ width, height, data }: Mask, radius: number): Hole {
  const mask = { width, height, data };
  for (let r = radius; r > 0; r--) {
    const grown = dilate(mask, { radius: r });
    if (grown.data.includes(0)) return grown;
  }
  return mask;
}

/**
 * The scales to work on, finest first. A level is halved as long as the hole is deep and patches still fit beside it;
 * coarser levels would have nothing to continue the hole's surroundings with. Nothing where there is too little to copy.
 */
function plan(finest: Level): Stage[] | undefined {
  writeTexture(finest);
  const fits = (level: Level, sides: readonly number[]) =>
    sides.find((side) => coverage(level.hole, side, patches(level.hole, side).sources) >= 0.85);
  const side =
    fits(finest, [7, 5, 3]) ?? [7, 5, 3].find((smaller) => patches(finest.hole, smaller).sources.length >= 16);
  if (!side) return undefined;
  const chosen: { level: Level; side: number }[] = [{ level: finest, side }];
  let depthPx = depths(finest.hole).largest / 3;
  for (let level = finest; depthPx > 3; depthPx /= 2) {
    level = halve(level);
    const coarserSide = fits(level, [7, 5]);
    if (!coarserSide) break;
    chosen.push({ level, side: coarserSide });
  }
  const coarsest = chosen.length - 1;
  return chosen.map((stage, i) => ({
    ...stage,
    turns: i === 0 ? 1 : i === 1 ? 3 : 6,
    reachPx: i === coarsest ? 0 : i === 0 ? 4 : 8,
  }));
}

function meanColour({ width, height, data }: Raster): Raster {
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i++) sums[i % 3] += data[i];
  const mean = sums.map((sum) => Math.round(sum / (width * height)));
  return createRaster(
    width,
    height,
    data.map((_, i) => mean[i % 3]),
  );
}
