import { createRaster, type Raster } from '../../image/raster.ts';
import type { Grid } from '../canvas.ts';
import type { OutputScore } from '../model-probe.ts';

export interface OcclusionOptions {
  readonly picture: Raster;
  readonly baseline: Raster;
  /** Score of the untouched picture. */
  readonly whole: number;
  readonly scorePictures: (pictures: readonly Raster[]) => Promise<OutputScore[]>;
  readonly patchPx: number;
  readonly stridePx: number;
  readonly batch: number;
}

/**
 * Zeiler and Fergus (2014): a patch of the baseline slides over the picture; a pixel's saliency is the probability lost,
 * averaged over the patches that cover it.
 */
export async function occlusion(options: OcclusionOptions): Promise<{ map: Grid; evaluations: number }> {
  const { picture, baseline, whole, scorePictures, patchPx, batch } = options;
  const { width, height } = picture;
  const places = positions(height, options).flatMap((top) => positions(width, options).map((left) => ({ left, top })));
  const lost = new Float64Array(width * height);
  const covers = new Float64Array(width * height);
  for (let start = 0; start < places.length; start += batch) {
    const part = places.slice(start, start + batch);
    const scores = await scorePictures(part.map(({ left, top }) => covered(picture, baseline, left, top, patchPx)));
    for (const [i, { left, top }] of part.entries()) {
      const drop = whole - scores[i].probability;
      for (let y = top; y < Math.min(height, top + patchPx); y++)
        for (let x = left; x < Math.min(width, left + patchPx); x++) {
          lost[y * width + x] += drop;
          covers[y * width + x]++;
        }
    }
  }
  return {
    map: { width, height, data: lost.map((sum, i) => (covers[i] ? sum / covers[i] : 0)) },
    evaluations: places.length,
  };
}

/** From edge to edge by the stride; the last patch ends at the edge, so that every pixel is covered. */
function positions(length: number, { patchPx, stridePx }: OcclusionOptions): number[] {
  const last = Math.max(0, length - patchPx);
  const found: number[] = [];
  for (let at = 0; at < last; at += stridePx) found.push(at);
  return [...found, last];
}

function covered(picture: Raster, baseline: Raster, left: number, top: number, patchPx: number): Raster {
  const { width, height } = picture;
  const out = createRaster(width, height, picture.data.slice());
  const right = Math.min(width, left + patchPx);
  for (let y = top; y < Math.min(height, top + patchPx); y++) {
    const from = (y * width + left) * 3;
    out.data.set(baseline.data.subarray(from, (y * width + right) * 3), from);
  }
  return out;
}
