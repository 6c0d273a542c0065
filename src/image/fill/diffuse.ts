import { missingPixels } from './hole.ts';
import { halve, type Level } from './pyramid.ts';

/**
 * Smooth filling, where there is too little background left to copy patches from: every missing pixel becomes the mean
 * of its neighbours. Each scale starts from the coarser one, so that few sweeps are enough at any size.
 */
export function diffuse(level: Level, { sweeps = 40 } = {}): void {
  const missing = missingPixels(level.hole);
  if (missing.length === 0) return;
  const { width, height, pixels } = level;
  if (width > 1 || height > 1) {
    const coarser = halve(level, { knownShare: 0 });
    diffuse(coarser, { sweeps });
    for (const i of missing) {
      const from = (Math.floor(i / width) >> 1) * coarser.width + ((i % width) >> 1);
      pixels.set(coarser.pixels.subarray(from * 4, from * 4 + 4), i * 4);
    }
  }
  const values = Float32Array.from(pixels);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const i of missing) {
      const x = i % width;
      const left = (x > 0 ? i - 1 : i) * 4;
      const right = (x < width - 1 ? i + 1 : i) * 4;
      const above = (i >= width ? i - width : i) * 4;
      const below = (i + width < width * height ? i + width : i) * 4;
      for (let c = 0; c < 3; c++) {
        values[i * 4 + c] = (values[left + c] + values[right + c] + values[above + c] + values[below + c]) / 4;
      }
    }
  }
  for (const i of missing) for (let c = 0; c < 3; c++) pixels[i * 4 + c] = Math.round(values[i * 4 + c]);
}
