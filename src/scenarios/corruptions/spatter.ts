import { createRaster, type Raster, type Rgb } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { cannyEdges } from './shared/canny.ts';
import { distanceTo } from './shared/distance.ts';
import { gaussianField } from './shared/gaussian.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { normals } from './shared/noise.ts';
import { boxSums, equalize, filter3x3 } from './shared/small-filters.ts';

export interface Spatter {
  readonly liquid: 'water' | 'mud';
  /** Mean and standard deviation of the noise that drops are cut from, and how much it is smoothed first. */
  readonly mean: number;
  readonly sigma: number;
  readonly sigmaPx: number;
  /** What is lower is no drop. */
  readonly threshold: number;
  /** Water: brightness of the drops. */
  readonly intensity?: number;
  /** Mud: softness of the drops. */
  readonly edgeSigmaPx?: number;
}

export const spatterSettings: Severities<Spatter> = [
  { liquid: 'water', mean: 0.65, sigma: 0.3, sigmaPx: 4, threshold: 0.69, intensity: 0.6 },
  { liquid: 'water', mean: 0.65, sigma: 0.3, sigmaPx: 3, threshold: 0.68, intensity: 0.6 },
  { liquid: 'water', mean: 0.65, sigma: 0.3, sigmaPx: 2, threshold: 0.68, intensity: 0.5 },
  { liquid: 'mud', mean: 0.65, sigma: 0.3, sigmaPx: 1, threshold: 0.65, edgeSigmaPx: 1.5 },
  { liquid: 'mud', mean: 0.67, sigma: 0.4, sigmaPx: 1, threshold: 0.65, edgeSigmaPx: 1.5 },
];

const water: Rgb = [175 / 255, 238 / 255, 238 / 255];
const mud: Rgb = [63 / 255, 42 / 255, 20 / 255];

/** `noise` is standard normal, one value a pixel. */
export function spatterOver(image: Raster, noise: Float64Array, setting: Spatter): Raster {
  const { width, height } = image;
  const { mean, sigma, sigmaPx, threshold } = setting;
  const field = new Float64Array(noise.length);
  for (let i = 0; i < field.length; i++) field[i] = mean + sigma * noise[i];
  const layer = gaussianField(field, width, height, sigmaPx);
  for (let i = 0; i < layer.length; i++) if (layer[i] < threshold) layer[i] = 0;
  return setting.liquid === 'water'
    ? addWater(image, waterDrops(layer, width, height), setting.intensity ?? 1)
    : addMud(image, mudDrops(layer, width, height, setting));
}

/** Drops with a lit and a dark flank: the liquid times a relief of the distance to its edge; 1 at the highest. */
function waterDrops(layer: Float64Array, width: number, height: number): Float32Array {
  const liquid = new Uint8Array(layer.length);
  for (let i = 0; i < layer.length; i++) liquid[i] = toLevel(layer[i]);
  const distance = distanceTo(cannyEdges(liquid, width, height), width, height);
  for (let i = 0; i < distance.length; i++) if (distance[i] > 20) distance[i] = 20;
  const near = boxSums(distance, width, height);
  const smooth = new Uint8Array(near.length);
  for (let i = 0; i < near.length; i++) smooth[i] = Math.fround(near[i] * (1 / 9));
  const relief = filter3x3(equalize(smooth), width, height, [-2, -1, 0, -1, 1, 1, 0, 1, 2]);
  const heights = boxSums(relief, width, height);
  const drops = new Float32Array(heights.length);
  let highest = 0;
  for (let i = 0; i < drops.length; i++) {
    drops[i] = liquid[i] * Math.round(heights[i] / 9);
    if (drops[i] > highest) highest = drops[i];
  }
  if (highest > 0) for (let i = 0; i < drops.length; i++) drops[i] /= highest;
  return drops;
}

function addWater(image: Raster, drops: Float32Array, intensity: number): Raster {
  return blend(image, drops, (value, drop, colour) => value + Math.fround(drop * intensity) * colour, water);
}

function mudDrops(layer: Float64Array, width: number, height: number, { threshold, edgeSigmaPx = 0 }: Spatter) {
  const drops = layer.map((value) => (value > threshold ? 1 : 0));
  return gaussianField(drops, width, height, edgeSigmaPx).map((value) => (value < 0.8 ? 0 : value));
}

function addMud(image: Raster, drops: Float64Array): Raster {
  return blend(image, drops, (value, drop, colour) => value * (1 - drop) + colour * drop, mud);
}

function blend(
  { width, height, data }: Raster,
  drops: Float32Array | Float64Array,
  mix: (value: number, drop: number, colour: number) => number,
  colour: Rgb,
): Raster {
  const out = createRaster(width, height, data.slice());
  for (let p = 0, i = 0; p < drops.length; p++, i += 3) {
    if (drops[p] === 0) continue;
    for (let c = 0; c < 3; c++) out.data[i + c] = toLevel(mix(levelAsShare[data[i + c]], drops[p], colour[c]));
  }
  return out;
}

export const spatter = defineCorruption({
  id: 'spatter',
  title: 'Spatter',
  description: 'Drops of water (severity 1 to 3) or mud (4 and 5) on the lens (ImageNet-C, extra).',
  severities: spatterSettings,
  corrupt: (image, setting, random) => spatterOver(image, normals(random, image.width * image.height), setting),
});
