import { begin, filled, get, look, put, take } from '../../image/kernels/arena.ts';
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
  const { zoomLine, zoomAdd, zoomMean } = begin();
  const zooms = Array.from({ length: count }, (_, i) => {
    const factor = 1 + i * difference;
    const [columns, rows] = [zoomAxis(width, factor), zoomAxis(height, factor)];
    return { rows, places: put(columns.at.map((at) => at * 24)), fractions: put(columns.fraction) };
  });
  const shares = put(levelAsShare.map(Math.fround));
  const [bytes, out] = [put(data), take(data.length)];
  const [line, sums] = [filled(8 * (length + 3), 0), take(4 * length)];
  for (let y = 0; y < height; y++) {
    look(sums, 4 * length).fill(0);
    for (const { rows, places, fractions } of zooms) {
      const upper = bytes + rows.at[y] * length;
      zoomLine(upper, height > 1 ? upper + length : upper, rows.fraction[y], shares, line, length);
      zoomAdd(line, places, fractions, sums, width);
    }
    zoomMean(bytes + y * length, sums, length, count + 1, out + y * length);
  }
  return createRaster(width, height, get(out, data.length));
}

export const zoomBlur = defineCorruption({
  id: 'zoom-blur',
  title: 'Zoom blur',
  description: 'The mean of the photograph and a dozen enlargements, as when moving towards it (ImageNet-C).',
  severities: zoomBlurSettings,
  corrupt: zoomThrough,
});
