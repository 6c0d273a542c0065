import { squaredDistance } from './distance.ts';
import type { Mask } from './raster.ts';

export interface BoundaryCounts {
  readonly boundaryPredicted: number;
  readonly boundaryTruth: number;
  readonly boundaryPredictedMatched: number;
  readonly boundaryTruthMatched: number;
}

/** Outlines match within this share of the image's diagonal, rounded up, as in the DAVIS benchmark (Perazzi et al., 2016). */
const toleranceShare = 0.008;
const rounding = 1e-9;

/**
 * Pixels of the two outlines, and those within the tolerance of the other: DAVIS's, to the pixel, where the truth is known
 * everywhere. In a trimap the outline runs somewhere in the uncertain band, and where is not scored: a predicted outline
 * pixel is right in the band or within the tolerance of it, and a piece of the band's inner edge is found where the
 * predicted outline comes as near to it as the band's outer edge, plus the tolerance.
 */
export function boundaryCounts(predicted: Mask, truth: Mask): BoundaryCounts {
  const { width, height, data, ignore } = truth;
  const radius = Math.ceil(toleranceShare * Math.hypot(width, height));
  const inner = ignore
    ? outline({ width, height, data: data.map((value, i) => (ignore[i] ? 0 : value)) })
    : outline(truth);
  const outer = ignore && outline({ width, height, data: data.map((value, i) => value | ignore[i]) });
  const found = outline(predicted);
  const toFound = squaredDistance(truth, (i) => found[i] === 1);
  const toOuter = outer && squaredDistance(truth, (i) => outer[i] === 1);
  const toTruth = squaredDistance(truth, (i) => inner[i] === 1 || outer?.[i] === 1 || (ignore?.[i] ?? 0) > 0);
  const counts = { boundaryPredicted: 0, boundaryTruth: 0, boundaryPredictedMatched: 0, boundaryTruthMatched: 0 };
  for (let i = 0; i < data.length; i++) {
    if (found[i]) {
      counts.boundaryPredicted++;
      if (toTruth[i] <= radius * radius) counts.boundaryPredictedMatched++;
    }
    if (inner[i]) {
      counts.boundaryTruth++;
      const reach = radius + (toOuter ? Math.sqrt(toOuter[i]) : 0);
      if (Math.sqrt(toFound[i]) <= reach + rounding) counts.boundaryTruthMatched++;
    }
  }
  return counts;
}

/**
 * Pixels that differ from the one to the right, the one below or the one between: the outline as DAVIS draws it. The
 * image's edge is none: an object that the frame cuts has no outline there.
 */
function outline({ width, height, data }: Mask): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const own = data[i] !== 0;
      const right = x + 1 < width;
      const below = y + 1 < height;
      if (right && (data[i + 1] !== 0) !== own) out[i] = 1;
      else if (below && (data[i + width] !== 0) !== own) out[i] = 1;
      else if (right && below && (data[i + width + 1] !== 0) !== own) out[i] = 1;
    }
  return out;
}
