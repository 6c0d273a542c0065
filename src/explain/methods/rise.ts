import type { Random } from '../../contracts/random.ts';
import type { Raster } from '../../image/raster.ts';
import { pearson } from '../../stats/rank.ts';
import { blend } from '../baseline.ts';
import type { Grid } from '../canvas.ts';
import type { OutputScore } from '../model-probe.ts';
import { drawMask, maskPixels } from './rise-masks.ts';

export interface RiseOptions {
  readonly picture: Raster;
  readonly baseline: Raster;
  readonly scorePictures: (pictures: readonly Raster[]) => Promise<OutputScore[]>;
  readonly random: Random;
  /** Masks at most. */
  readonly masks: number;
  readonly cells: number;
  /** Stop once the map is so reliable; 1: never. */
  readonly converge: number;
  readonly batch: number;
}

/** Probability that a cell is kept, as in the paper. */
export const keepProbability = 0.5;
/** Masks between two looks at the reliability; even, so that both halves have as many. */
const lookEvery = 100;

export interface RiseResult {
  readonly map: Grid;
  readonly evaluations: number;
  readonly reliability: number;
}

/**
 * RISE (Petsiuk et al., 2018). The paper's map, Σ f(X∘Mᵢ)·Mᵢ / (N·E[M]), is a flat part (the mean score times the mean
 * mask) plus what varies; only the latter says where the model looks, so the flat part is taken off: the map is the
 * covariance of score and mask over E[M]. Order of pixels, and with it deletion and insertion, stay the paper's.
 */
export async function rise(options: RiseOptions): Promise<RiseResult> {
  const { picture, baseline, scorePictures, random, masks, cells, converge, batch } = options;
  const { width, height } = picture;
  const halves = [createSums(width * height), createSums(width * height)];
  let done = 0;
  let reliability = Number.NaN;
  while (done < masks) {
    const until = Math.min(masks, done + lookEvery);
    while (done < until) {
      const count = Math.min(batch, until - done);
      const drawn = Array.from({ length: count }, () =>
        maskPixels(drawMask(random, { width, height, cells }, keepProbability), { width, height, cells }),
      );
      const scores = await scorePictures(drawn.map((mask) => blend(picture, baseline, mask)));
      for (const [i, mask] of drawn.entries()) addTo(halves[(done + i) % 2], mask, scores[i].probability);
      done += count;
    }
    reliability = stepUp(pearson(mapOf(halves[0]), mapOf(halves[1])));
    if (reliability >= converge) break;
  }
  return { map: { width, height, data: mapOf(joined(halves)) }, evaluations: done, reliability };
}

interface Sums {
  count: number;
  score: number;
  readonly mask: Float64Array;
  readonly product: Float64Array;
}

const createSums = (pixels: number): Sums => ({
  count: 0,
  score: 0,
  mask: new Float64Array(pixels),
  product: new Float64Array(pixels),
});

function addTo(sums: Sums, mask: Float32Array, score: number): void {
  sums.count++;
  sums.score += score;
  for (let i = 0; i < mask.length; i++) {
    sums.mask[i] += mask[i];
    sums.product[i] += mask[i] * score;
  }
}

function joined([a, b]: Sums[]): Sums {
  return {
    count: a.count + b.count,
    score: a.score + b.score,
    mask: a.mask.map((value, i) => value + b.mask[i]),
    product: a.product.map((value, i) => value + b.product[i]),
  };
}

const mapOf = ({ count, score, mask, product }: Sums): Float64Array =>
  product.map((value, i) => (value - (score * mask[i]) / count) / (count * keepProbability));

/** Spearman and Brown: the reliability of two halves together, from their correlation. */
export const stepUp = (correlation: number): number => (2 * correlation) / (1 + correlation);
