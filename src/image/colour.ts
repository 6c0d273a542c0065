import { begin, get, put, take } from './kernels/arena.ts';
import { putRegion } from './kernels/region.ts';
import { createRaster, type Raster, sameSize } from './raster.ts';
import type { Region } from './region.ts';

/** OpenCV's 8-bit `COLOR_RGB2HSV`: hue 0–179, saturation and value 0–255. Interleaved in and out. */
export function rgbToHsv(rgb: Uint8Array): Uint8Array {
  const { rgbToHsv: run } = begin();
  const source = put(rgb);
  const target = take(rgb.length);
  run(source, target, rgb.length / 3);
  return get(target, rgb.length);
}

/**
 * OpenCV's 8-bit `COLOR_HSV2RGB`. Equal to its vector code, which cuts off fractions; for the last few pixels of a row
 * OpenCV leaves its vector code and rounds, one level more at most.
 */
export function hsvToRgb(hsv: Uint8Array): Uint8Array {
  const { hsvToRgb: run } = begin();
  const source = put(hsv);
  const target = take(hsv.length);
  run(source, target, hsv.length / 3);
  return get(target, hsv.length);
}

/** Hue of the region's pixels replaced (0–179; 180 is 0), saturation and value kept: OpenCV's way there and back. */
export function setHue(image: Raster, region: Region | undefined, hue: number): Raster {
  const { setHue: run } = begin();
  const pixels = image.width * image.height;
  const at = put(image.data);
  const [mask, invert] = putRegion(region, pixels);
  const turn = Math.fround(hue * Math.fround(6 / 180));
  const whole = Math.trunc(turn);
  run(at, mask, invert, pixels, whole % 6, Math.fround(turn - whole));
  return createRaster(image.width, image.height, get(at, image.data.length));
}

/** Hue of the region's pixels turned by `by`, a full circle being 180. */
export function shiftHue(image: Raster, region: Region | undefined, by: number): Raster {
  const { shiftHue: run } = begin();
  const pixels = image.width * image.height;
  const at = put(image.data);
  const [mask, invert] = putRegion(region, pixels);
  run(at, mask, invert, pixels, ((by % 180) + 180) % 180);
  return createRaster(image.width, image.height, get(at, image.data.length));
}

/** `opencv`: COLOR_RGB2GRAY, 15 bits. `pillow`: convert('L'), 16 bits. They differ by a level at times. */
export type GreyWeights = 'opencv' | 'pillow';
const greyWeights = { opencv: [9798, 19235, 3735, 15], pillow: [19595, 38470, 7471, 16] } as const;

/** The region without colour, still three channels. */
export function toGrey(image: Raster, region?: Region, weights: GreyWeights = 'opencv'): Raster {
  const { grey } = begin();
  const pixels = image.width * image.height;
  const at = put(image.data);
  const [mask, invert] = putRegion(region, pixels);
  grey(at, mask, invert, pixels, ...greyWeights[weights], 0);
  return createRaster(image.width, image.height, get(at, image.data.length));
}

/** One byte a pixel. */
export function greyLevels(image: Raster, weights: GreyWeights = 'opencv'): Uint8Array {
  const { grey } = begin();
  const pixels = image.width * image.height;
  const at = put(image.data);
  const [mask, invert] = putRegion(undefined, pixels);
  const levels = take(pixels);
  grey(at, mask, invert, pixels, ...greyWeights[weights], levels);
  return get(levels, pixels);
}

/** One channel of the region kept, the other two 0. */
export function keepChannel(image: Raster, region: Region | undefined, channel: 0 | 1 | 2): Raster {
  const tables = [0, 1, 2].map((c) => Uint8Array.from({ length: 256 }, (_, i) => (c === channel ? i : 0)));
  return applyTables(image, region, tables as [Uint8Array, Uint8Array, Uint8Array]);
}

/** Each channel of the region looked up in a table of 256 entries. */
export function applyTable(image: Raster, region: Region | undefined, table: Uint8Array): Raster {
  return applyTables(image, region, [table, table, table]);
}

/** A table of 256 entries for each channel (white balance). */
export function applyTables(
  image: Raster,
  region: Region | undefined,
  [red, green, blue]: readonly [Uint8Array, Uint8Array, Uint8Array],
): Raster {
  const { lookUp } = begin();
  const pixels = image.width * image.height;
  const at = put(image.data);
  const [mask, invert] = putRegion(region, pixels);
  const tables = new Uint8Array(768);
  tables.set(red);
  tables.set(green, 256);
  tables.set(blue, 512);
  lookUp(at, mask, invert, pixels, put(tables));
  return createRaster(image.width, image.height, get(at, image.data.length));
}

/** 255 · (i / 255)^(1 / gamma), rounded; above 1 is brighter. */
export function gammaTable(gamma: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, i) => roundEven(255 * (i / 255) ** (1 / gamma)));
}

/** `saturate(a · x + b · y + c)` on the region of `x`: OpenCV's `addWeighted` on bytes. */
export function addWeighted(x: Raster, a: number, y: Raster, b: number, c: number, region?: Region): Raster {
  sameSize(x, y);
  const { combine } = begin();
  const pixels = x.width * x.height;
  const table = put(weightTable(a, b, c));
  const at = put(x.data);
  const other = put(y.data);
  const [mask, invert] = putRegion(region, pixels);
  combine(at, other, mask, invert, pixels, table);
  return createRaster(x.width, x.height, get(at, x.data.length));
}

/** Scenarios have a few; with seeded weights there may be any number. */
const weightTables = new Map<string, Uint8Array>();
const mostTables = 8;

/** OpenCV works in single precision with fused multiplications: a·x + (b·y + c), each rounded once. */
function weightTable(a: number, b: number, c: number): Uint8Array {
  const key = `${a} ${b} ${c}`;
  const known = weightTables.get(key);
  if (known) return known;
  const table = new Uint8Array(65536);
  const [wa, wb, wc] = [a, b, c].map(Math.fround);
  for (let y = 0; y < 256; y++) {
    const rest = Math.fround(y * wb + wc);
    for (let x = 0; x < 256; x++) {
      const sum = Math.fround(x * wa + rest);
      table[(x << 8) | y] = sum <= 0 ? 0 : sum >= 255 ? 255 : roundEven(sum);
    }
  }
  if (weightTables.size >= mostTables) weightTables.clear();
  weightTables.set(key, table);
  return table;
}

function roundEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}
