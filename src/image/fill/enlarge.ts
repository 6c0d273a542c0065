import { missingPixels } from './hole.ts';
import type { Level } from './pyramid.ts';

/**
 * Carries a finished filling to a level twice as large: each missing pixel is copied from twice the coarse shift, so the
 * texture is the photograph's own and not an enlargement, and its colour is corrected by what the coarse level's join
 * changed. Returns the choices on this level. Used above a megapixel, where a search would cost more than it shows.
 */
export function enlarge(level: Level, coarse: Level, choices: Int32Array): Int32Array {
  const { width, height, pixels, hole } = level;
  const out = new Int32Array(width * height);
  for (const i of missingPixels(hole)) {
    const y = Math.floor(i / width);
    const x = i - y * width;
    const c = (y >> 1) * coarse.width + (x >> 1);
    // A pixel of the rim may be missing here and known on the coarse level: it stands for itself there.
    const chosen = coarse.hole.data[c] ? choices[c] : c;
    const sx = Math.min(2 * (chosen % coarse.width) + (x & 1), width - 1);
    const sy = Math.min(2 * Math.floor(chosen / coarse.width) + (y & 1), height - 1);
    const source = sy * width + sx;
    out[i] = source;
    for (let k = 0; k < 3; k++) {
      const joined = coarse.pixels[c * 4 + k];
      const value = hole.data[source] ? joined : pixels[source * 4 + k] + joined - coarse.pixels[chosen * 4 + k];
      pixels[i * 4 + k] = Math.min(255, Math.max(0, value));
    }
  }
  return out;
}
