import { createRaster, type Raster, type Rgb } from './raster.ts';

interface Info {
  width: number;
  height: number;
  channels: number;
}

const bytesOf = (data: Uint8Array) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** One to four channels to three; the fourth, or second, is left out. */
export function dropAlpha(data: Uint8Array, { width, height, channels }: Info): Raster {
  if (channels === 3) return createRaster(width, height, bytesOf(data));
  const out = createRaster(width, height);
  const grey = channels < 3;
  for (let i = 0, from = 0, to = 0; i < width * height; i++, from += channels, to += 3) {
    out.data[to] = data[from];
    out.data[to + 1] = data[grey ? from : from + 1];
    out.data[to + 2] = data[grey ? from : from + 2];
  }
  return out;
}

/** The picture over one colour: (level · alpha + colour · (255 − alpha)) / 255, rounded. */
export function flattenAlpha(data: Uint8Array, info: Info, colour: Rgb): Raster {
  const { width, height, channels } = info;
  const out = dropAlpha(data, info);
  if (channels === 3 || channels === 1) return out;
  for (let i = 0, to = 0; i < width * height; i++, to += 3) {
    const alpha = data[i * channels + channels - 1];
    if (alpha === 255) continue;
    for (let c = 0; c < 3; c++) {
      out.data[to + c] = Math.floor((out.data[to + c] * alpha + colour[c] * (255 - alpha) + 127) / 255);
    }
  }
  return out;
}

/** Pillow's CMYK to RGB, without a profile: (1 − k) − c · (1 − k), in its rounding. */
export function cmykAsPillow(data: Uint8Array, { width, height }: Info): Raster {
  const out = createRaster(width, height);
  for (let i = 0, from = 0, to = 0; i < width * height; i++, from += 4, to += 3) {
    const light = 255 - data[from + 3];
    for (let c = 0; c < 3; c++) {
      const product = data[from + c] * light + 128;
      out.data[to + c] = light - (((product >> 8) + product) >> 8);
    }
  }
  return out;
}

/** Pillow cuts 16-bit grey off at 255, so that almost all of such a picture is white. */
export function clipLevels(data: Uint8Array, { width, height, channels }: Info): Raster {
  const levels = new Int32Array(data.buffer, data.byteOffset, width * height * channels);
  const out = createRaster(width, height);
  for (let i = 0; i < width * height; i++)
    out.data.fill(Math.min(255, Math.max(0, levels[i * channels])), i * 3, i * 3 + 3);
  return out;
}

/** Transparent pixels, and those outside a GIF's first frame, in the colour that its palette gives them. */
export function gifAsPillow(data: Uint8Array, info: Info, { left, top, right, bottom, colour }: GifFrame): Raster {
  const out = dropAlpha(data, info);
  const { width, height, channels } = info;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const outside = x < left || x >= right || y < top || y >= bottom;
      if (outside || (channels === 4 && data[i * 4 + 3] === 0)) out.data.set(colour, i * 3);
    }
  }
  return out;
}

export interface GifFrame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Palette colour of the transparent index, or of index 0 where there is none. */
  readonly colour: Rgb;
}

/** Where a GIF's first frame lies (GIF89a, sections 18 to 23). */
export function firstGifFrame(bytes: Uint8Array): GifFrame {
  const word = (at: number) => bytes[at] | (bytes[at + 1] << 8);
  let palette = bytes[10] & 0x80 ? 13 : 0;
  let index = 0;
  let at = 13 + (palette ? 3 * 2 ** ((bytes[10] & 7) + 1) : 0);
  while (at < bytes.length && bytes[at] === 0x21) {
    if (bytes[at + 1] === 0xf9 && bytes[at + 3] & 1) index = bytes[at + 6];
    at += 2;
    while (bytes[at] > 0) at += bytes[at] + 1;
    at++;
  }
  if (bytes[at + 9] & 0x80) palette = at + 10;
  const [left, top] = [word(at + 1), word(at + 3)];
  const colour: Rgb = [bytes[palette + index * 3], bytes[palette + index * 3 + 1], bytes[palette + index * 3 + 2]];
  return { left, top, right: left + word(at + 5), bottom: top + word(at + 7), colour };
}
