import { createRaster, type Raster } from '../image/raster.ts';
import type { OutputScore } from './model-probe.ts';

export interface CurveOptions {
  /** From this picture … */
  readonly from: Raster;
  /** … pixels are replaced by this one's, the most salient first. */
  readonly to: Raster;
  /** Saliency of every pixel. */
  readonly saliency: Float64Array;
  readonly steps: number;
  readonly scorePictures: (pictures: readonly Raster[]) => Promise<OutputScore[]>;
}

/**
 * Deletion (from the picture to the baseline) and insertion (from the blurred picture to the picture) of Petsiuk et al.
 * (2018): the probability after each step, and the area under it by the trapezoidal rule, steps spread over [0, 1].
 */
export async function replacementCurve({ from, to, saliency, steps, scorePictures }: CurveOptions) {
  const order = byFalling(saliency);
  const current = createRaster(from.width, from.height, from.data.slice());
  const pictures: Raster[] = [createRaster(from.width, from.height, from.data)];
  for (let step = 1, done = 0; step <= steps; step++) {
    for (const end = Math.round((step * order.length) / steps); done < end; done++) {
      const at = 3 * order[done];
      for (let c = at; c < at + 3; c++) current.data[c] = to.data[c];
    }
    pictures.push(createRaster(from.width, from.height, current.data.slice()));
  }
  const curve = (await scorePictures(pictures)).map(({ probability }) => probability);
  return { curve, area: areaUnder(curve) };
}

/** By the trapezoidal rule over [0, 1]. */
export const areaUnder = (curve: readonly number[]): number =>
  (curve.reduce((sum, value) => sum + value, 0) - (curve[0] + curve[curve.length - 1]) / 2) / (curve.length - 1);

/** Places from the largest value to the smallest; equal ones in their own order. */
function byFalling(values: Float64Array): Uint32Array {
  return Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
}
