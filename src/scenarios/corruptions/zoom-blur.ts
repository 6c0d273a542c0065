import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { toLevel } from './shared/levels.ts';
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

/** The mean of the photograph and its enlargements. */
export function zoomThrough(image: Raster, { step, count }: Zooms): Raster {
  const { width, height, data } = image;
  const length = width * 3;
  const zooms = Array.from({ length: count }, (_, i) => {
    const factor = 1 + i * step;
    return { columns: zoomAxis(width, factor), rows: zoomAxis(height, factor) };
  });
  const out = createRaster(width, height);
  const sums = new Float64Array(length);
  const line = new Float64Array(length + 3);
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < length; i++) sums[i] = data[y * length + i];
    for (const { columns, rows } of zooms) {
      const upper = rows.at[y] * length;
      const lower = height > 1 ? upper + length : upper;
      const down = rows.fraction[y];
      for (let i = 0; i < length; i++) line[i] = data[upper + i] + (data[lower + i] - data[upper + i]) * down;
      for (let x = 0, i = 0; x < width; x++, i += 3) {
        const from = columns.at[x] * 3;
        const across = columns.fraction[x];
        sums[i] += line[from] + (line[from + 3] - line[from]) * across;
        sums[i + 1] += line[from + 1] + (line[from + 4] - line[from + 1]) * across;
        sums[i + 2] += line[from + 2] + (line[from + 5] - line[from + 2]) * across;
      }
    }
    for (let i = 0, j = y * length; i < length; i++, j++) out.data[j] = toLevel(sums[i] / (count + 1) / 255);
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
