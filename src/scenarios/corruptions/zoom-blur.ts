import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare } from './shared/levels.ts';
import { zoomAxis } from './shared/zoom.ts';

interface Zooms {
  readonly step: number;
  readonly count: number;
}

/** `count` zoom factors from 1 on; the first severity ends at 1.11, which NumPy's `arange` does not leave out. */
export const zoomBlurSettings: Severities<Zooms> = [
  { step: 0.01, count: 12 },
  { step: 0.01, count: 16 },
  { step: 0.02, count: 11 },
  { step: 0.02, count: 13 },
  { step: 0.03, count: 11 },
];

/** The mean of the photograph and its enlargements, summed in single precision as in the original. */
export function zoomThrough(image: Raster, { step, count }: Zooms): Raster {
  const { width, height, data } = image;
  const length = width * 3;
  // NumPy's step is the difference of the first two factors, and a rounding error off the one written.
  const difference = 1 + step - 1;
  const zooms = Array.from({ length: count }, (_, i) => {
    const factor = 1 + i * difference;
    return { columns: zoomAxis(width, factor), rows: zoomAxis(height, factor) };
  });
  const values = Float32Array.from(levelAsShare);
  const out = createRaster(width, height);
  const sums = new Float32Array(length);
  const line = new Float64Array(length + 3);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (const { columns, rows } of zooms) {
      const upper = rows.at[y] * length;
      const lower = height > 1 ? upper + length : upper;
      const down = rows.fraction[y];
      for (let i = 0; i < length; i++) line[i] = values[data[upper + i]] * (1 - down) + values[data[lower + i]] * down;
      for (let x = 0, i = 0; x < width; x++, i += 3) {
        const from = columns.at[x] * 3;
        const after = columns.fraction[x];
        const before = 1 - after;
        sums[i] += Math.fround(line[from] * before + line[from + 3] * after);
        sums[i + 1] += Math.fround(line[from + 1] * before + line[from + 4] * after);
        sums[i + 2] += Math.fround(line[from + 2] * before + line[from + 5] * after);
      }
    }
    for (let i = 0, j = y * length; i < length; i++, j++) {
      const mean = Math.fround(Math.fround(values[data[j]] + sums[i]) / (count + 1));
      out.data[j] = Math.min(255, Math.fround(mean * 255));
    }
  }
  return out;
}

export const zoomBlur = defineCorruption({
  id: 'zoom-blur',
  title: 'Zoom blur',
  description: 'The mean of the photograph and a dozen enlargements, as when moving towards it (ImageNet-C).',
  severities: zoomBlurSettings,
  corrupt: zoomThrough,
});
