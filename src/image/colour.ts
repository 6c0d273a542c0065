import { createRaster, type Raster } from './raster.ts';
import type { Region } from './region.ts';

const shift = 12;
const saturationTable = Int32Array.from({ length: 256 }, (_, i) => (i === 0 ? 0 : roundEven((255 << shift) / i)));
const hueTable = Int32Array.from({ length: 256 }, (_, i) => (i === 0 ? 0 : roundEven((180 << shift) / (6 * i))));

function roundEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}

/** OpenCV's 8-bit `COLOR_RGB2HSV`: hue 0–179, saturation and value 0–255. Interleaved in and out. */
export function rgbToHsv(rgb: Uint8Array, out: Uint8Array = new Uint8Array(rgb.length)): Uint8Array {
  for (let i = 0; i < rgb.length; i += 3) {
    const r = rgb[i];
    const g = rgb[i + 1];
    const b = rgb[i + 2];
    const v = Math.max(r, g, b);
    const diff = v - Math.min(r, g, b);
    const s = (diff * saturationTable[v] + (1 << (shift - 1))) >> shift;
    const sector = v === r ? g - b : v === g ? b - r + 2 * diff : r - g + 4 * diff;
    let h = (sector * hueTable[diff] + (1 << (shift - 1))) >> shift;
    if (h < 0) h += 180;
    out[i] = h;
    out[i + 1] = s;
    out[i + 2] = v;
  }
  return out;
}

const f32 = Math.fround;

/** OpenCV's 8-bit `COLOR_HSV2RGB`, in single precision as there. */
export function hsvToRgb(hsv: Uint8Array, out: Uint8Array = new Uint8Array(hsv.length)): Uint8Array {
  const scale = f32(1 / 255);
  const hueScale = f32(6 / 180);
  for (let i = 0; i < hsv.length; i += 3) {
    const s = f32(hsv[i + 1] * scale);
    const v = f32(hsv[i + 2] * scale);
    const h = f32(hsv[i] * hueScale);
    const whole = Math.floor(h);
    const sector = whole % 6;
    const f = f32(h - whole);
    const p = f32(v * f32(1 - s));
    const q = f32(v * f32(1 - f32(s * f)));
    const t = f32(v * f32(1 - f32(s * f32(1 - f))));
    const [r, g, b] =
      sector === 0
        ? [v, t, p]
        : sector === 1
          ? [q, v, p]
          : sector === 2
            ? [p, v, t]
            : sector === 3
              ? [p, q, v]
              : sector === 4
                ? [t, p, v]
                : [v, p, q];
    out[i] = roundEven(f32(r * 255));
    out[i + 1] = roundEven(f32(g * 255));
    out[i + 2] = roundEven(f32(b * 255));
  }
  return out;
}

const touches = (region: Region | undefined, i: number) =>
  region === undefined || (region.mask.data[i] !== 0) === (region.side === 'object');

function edit(image: Raster, region: Region | undefined, change: (data: Uint8Array, at: number) => void): Raster {
  const out = createRaster(image.width, image.height, image.data.slice());
  for (let i = 0; i < image.width * image.height; i++) if (touches(region, i)) change(out.data, i * 3);
  return out;
}

/** Hue of the region's pixels replaced (0–179); saturation and value kept. */
export function setHue(image: Raster, region: Region | undefined, hue: number): Raster {
  const hsv = rgbToHsv(image.data);
  for (let i = 0; i < hsv.length; i += 3) hsv[i] = hue;
  const rgb = hsvToRgb(hsv);
  return edit(image, region, (data, at) => {
    for (let c = 0; c < 3; c++) data[at + c] = rgb[at + c];
  });
}

/** Hue of the region's pixels turned by `by` (0–179 is the full circle). */
export function shiftHue(image: Raster, region: Region | undefined, by: number): Raster {
  const hsv = rgbToHsv(image.data);
  for (let i = 0; i < hsv.length; i += 3) hsv[i] = (((hsv[i] + by) % 180) + 180) % 180;
  const rgb = hsvToRgb(hsv);
  return edit(image, region, (data, at) => {
    for (let c = 0; c < 3; c++) data[at + c] = rgb[at + c];
  });
}

/** One channel kept, the other two 0. */
export function keepChannel(image: Raster, region: Region | undefined, channel: 0 | 1 | 2): Raster {
  return edit(image, region, (data, at) => {
    for (let c = 0; c < 3; c++) if (c !== channel) data[at + c] = 0;
  });
}

/** Grey levels of OpenCV's `COLOR_RGB2GRAY` (`opencv`) or Pillow's `convert('L')` (`pillow`); they differ by one level at times. */
export function greyLevels(image: Raster, weights: 'opencv' | 'pillow' = 'opencv'): Uint8Array {
  const out = new Uint8Array(image.width * image.height);
  const { data } = image;
  const [r, g, b, round, bits] =
    weights === 'opencv' ? [9798, 19235, 3735, 1 << 14, 15] : [19595, 38470, 7471, 1 << 15, 16];
  for (let i = 0, j = 0; i < out.length; i++, j += 3) {
    out[i] = (data[j] * r + data[j + 1] * g + data[j + 2] * b + round) >> bits;
  }
  return out;
}

/** The region without colour, still three channels. */
export function toGrey(image: Raster, region?: Region, weights: 'opencv' | 'pillow' = 'opencv'): Raster {
  const grey = greyLevels(image, weights);
  return edit(image, region, (data, at) => data.fill(grey[at / 3], at, at + 3));
}

/** `saturate(a · x + b · y + c)` on the region, rounded to even as OpenCV's `addWeighted`. */
export function addWeighted(x: Raster, a: number, y: Raster, b: number, c: number, region?: Region): Raster {
  return edit(x, region, (data, at) => {
    for (let k = at; k < at + 3; k++) {
      data[k] = Math.min(255, Math.max(0, roundEven(x.data[k] * a + y.data[k] * b + c)));
    }
  });
}

/** Each channel of the region looked up in a table of 256 entries. */
export function applyTable(image: Raster, region: Region | undefined, table: Uint8Array): Raster {
  return edit(image, region, (data, at) => {
    for (let k = at; k < at + 3; k++) data[k] = table[data[k]];
  });
}

/** 255 · (i / 255)^(1 / gamma), above 1 is brighter. */
export function gammaTable(gamma: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, i) => roundEven(255 * (i / 255) ** (1 / gamma)));
}
