import type { Raster } from '../raster.ts';
import type { Hole } from './hole.ts';

/** One scale of the photograph: four bytes a pixel (red, green, blue, texture), and what is missing. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly hole: Hole;
}

export function toLevel({ width, height, data }: Raster, hole: Hole): Level {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0, from = 0, to = 0; i < width * height; i++, from += 3, to += 4) {
    if (hole.data[i]) continue;
    pixels[to] = data[from];
    pixels[to + 1] = data[from + 1];
    pixels[to + 2] = data[from + 2];
  }
  return { width, height, pixels, hole };
}

/**
 * Half the size. Only known pixels are averaged, so that nothing of the object seeps into the coarse levels. A pixel
 * stays known when more than `knownShare` of its four are.
 */
export function halve({ width, height, pixels, hole }: Level, { knownShare = 0.5 } = {}): Level {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  const out = new Uint8Array(w * h * 4);
  const missing = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let texture = 0;
      let known = 0;
      const bottom = Math.min(2 * y + 2, height);
      const right = Math.min(2 * x + 2, width);
      for (let v = 2 * y; v < bottom; v++) {
        for (let u = 2 * x; u < right; u++) {
          const i = v * width + u;
          if (hole.data[i]) continue;
          known++;
          red += pixels[i * 4];
          green += pixels[i * 4 + 1];
          blue += pixels[i * 4 + 2];
          texture += pixels[i * 4 + 3];
        }
      }
      const o = y * w + x;
      if (known <= knownShare * (bottom - 2 * y) * (right - 2 * x)) missing[o] = 255;
      if (known === 0) continue;
      out[o * 4] = (red + known / 2) / known;
      out[o * 4 + 1] = (green + known / 2) / known;
      out[o * 4 + 2] = (blue + known / 2) / known;
      out[o * 4 + 3] = (texture + known / 2) / known;
    }
  }
  return { width: w, height: h, pixels: out, hole: { width: w, height: h, data: missing } };
}

/**
 * Writes the texture channel: the mean absolute difference of neighbouring known pixels around each pixel, after Newson
 * et al. 2014. On coarse levels lawn and wall may look alike; this keeps them apart.
 */
export function writeTexture({ width, height, pixels, hole }: Level, { reachPx = 6, gain = 4 } = {}): void {
  const columns = width + 1;
  // Summed-area tables; both fit in 32 bits up to five megapixels, five times the largest level they are made for.
  const sums = new Uint32Array(columns * (height + 1));
  const counts = new Uint32Array(columns * (height + 1));
  const difference = (i: number, j: number) =>
    Math.abs(pixels[i] - pixels[j]) + Math.abs(pixels[i + 1] - pixels[j + 1]) + Math.abs(pixels[i + 2] - pixels[j + 2]);
  for (let y = 0; y < height; y++) {
    let rowSum = 0;
    let rowCount = 0;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (!hole.data[i]) {
        if (x + 1 < width && !hole.data[i + 1]) {
          rowSum += difference(i * 4, i * 4 + 4);
          rowCount++;
        }
        if (y + 1 < height && !hole.data[i + width]) {
          rowSum += difference(i * 4, (i + width) * 4);
          rowCount++;
        }
      }
      sums[(y + 1) * columns + x + 1] = sums[y * columns + x + 1] + rowSum;
      counts[(y + 1) * columns + x + 1] = counts[y * columns + x + 1] + rowCount;
    }
  }
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - reachPx) * columns;
    const bottom = Math.min(height, y + reachPx + 1) * columns;
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - reachPx);
      const right = Math.min(width, x + reachPx + 1);
      const count = counts[bottom + right] - counts[top + right] - counts[bottom + left] + counts[top + left];
      if (count === 0) continue;
      const sum = sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left];
      pixels[(y * width + x) * 4 + 3] = Math.min(255, Math.round((sum / count / 3) * gain));
    }
  }
}
