import type { Raster } from '../../image/raster.ts';
import { softmax } from '../../stats/softmax.ts';
import { blend } from '../baseline.ts';
import { enlarge, type Grid } from '../canvas.ts';
import type { Activation } from '../graph/layer-reader.ts';
import { channelMaps } from '../graph/spatial.ts';
import type { OutputScore } from '../model-probe.ts';

export interface ScoreCamOptions {
  readonly activation: Activation;
  readonly picture: Raster;
  readonly baseline: Raster;
  readonly scorePictures: (pictures: readonly Raster[]) => Promise<OutputScore[]>;
  /** Channels at most; those that vary most come first. */
  readonly channels: number;
  readonly batch: number;
}

/**
 * Score-CAM (Wang et al., 2020, algorithm 1): each channel, scaled to 0 … 1 and enlarged, is laid over the picture; the
 * class's logit then, put through a softmax over the channels, is the channel's weight. The map is the weighted sum
 * before the ReLU. A channel without variation hides nothing and is left out.
 */
export async function scoreCam(options: ScoreCamOptions): Promise<{ map: Grid; evaluations: number }> {
  const { activation, picture, baseline, scorePictures, channels, batch } = options;
  const { width, height } = activation.spatial;
  const maps = mostVaried(channelMaps(activation.data, activation.spatial), channels);
  const logits: number[] = [];
  for (let start = 0; start < maps.length; start += batch) {
    const pictures = maps.slice(start, start + batch).map((map) => {
      const keep = enlarge({ width, height, data: toUnit(map) }, picture.width, picture.height);
      return blend(picture, baseline, keep);
    });
    for (const { logit } of await scorePictures(pictures)) logits.push(logit);
  }
  return { map: { width, height, data: weightedSum(maps, softmax(logits)) }, evaluations: maps.length };
}

export function mostVaried(maps: readonly Float64Array[], most: number): Float64Array[] {
  const spread = maps.map((map) => {
    const mean = map.reduce((sum, x) => sum + x, 0) / map.length;
    return map.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  });
  return [...maps.keys()]
    .filter((k) => spread[k] > 0)
    .sort((a, b) => spread[b] - spread[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((k) => maps[k]);
}

function toUnit(map: Float64Array): Float64Array {
  const low = map.reduce((least, x) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const high = map.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  return map.map((x) => (x - low) / (high - low));
}

function weightedSum(maps: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const out = new Float64Array(maps[0]?.length ?? 0);
  for (const [k, map] of maps.entries()) for (let p = 0; p < out.length; p++) out[p] += weights[k] * map[p];
  return out;
}
