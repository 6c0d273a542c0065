import type { SaliencyRow } from '../contracts/saliency.ts';
import type { Mask } from '../image/raster.ts';

export type MapNumbers = Pick<
  SaliencyRow,
  'areaShare' | 'shareOnObject' | 'energyRatio' | 'reliance' | 'pointing' | 'iou' | 'negativeShare' | 'objectShown'
>;

/** How a map (NaN: not shown to the network) agrees with the object. Without a mask only `negativeShare` is a number. */
export function mapNumbers(map: Float32Array, mask: Mask | undefined): MapNumbers {
  const counted: number[] = [];
  let [positive, negative, onObject, object, objectInAll] = [0, 0, 0, 0, 0];
  for (let i = 0; i < map.length; i++) {
    if (mask?.ignore?.[i]) continue;
    const isObject = mask !== undefined && mask.data[i] !== 0;
    if (isObject) objectInAll++;
    if (Number.isNaN(map[i])) continue;
    counted.push(i);
    if (isObject) object++;
    if (map[i] < 0) negative -= map[i];
    else positive += map[i];
    if (isObject && map[i] > 0) onObject += map[i];
  }
  const all = positive + negative;
  const negativeShare = all > 0 ? negative / all : Number.NaN;
  const measurable = mask !== undefined && object > 0 && positive > 0;
  const areaShare = mask && counted.length ? object / counted.length : Number.NaN;
  const share = measurable ? onObject / positive : Number.NaN;
  return {
    areaShare,
    shareOnObject: share,
    energyRatio: share / areaShare,
    reliance: 1 - share,
    pointing: measurable ? pointing(map, mask, counted) : Number.NaN,
    iou: measurable ? overlapAtArea(map, mask, counted, object) : Number.NaN,
    negativeShare,
    objectShown: mask && objectInAll ? object / objectInAll : Number.NaN,
  };
}

/** Zhang et al.'s (2018) pointing game without tolerance; of several equal maxima the majority decides. */
function pointing(map: Float32Array, mask: Mask, counted: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const i of counted) if (map[i] > largest) largest = map[i];
  let [hits, ties] = [0, 0];
  for (const i of counted)
    if (map[i] === largest) {
      ties++;
      if (mask.data[i]) hits++;
    }
  return 2 * hits >= ties ? 1 : 0;
}

/** IoU of the object with the same number of pixels, the most salient ones; equal values in the order of the rows. */
function overlapAtArea(map: Float32Array, mask: Mask, counted: readonly number[], object: number): number {
  const values = Float32Array.from(counted, (i) => map[i]).sort();
  const threshold = values[values.length - object];
  let above = 0;
  for (const value of values) if (value > threshold) above++;
  let [ties, both] = [object - above, 0];
  for (const i of counted) {
    if (map[i] < threshold) continue;
    if (map[i] === threshold && ties-- <= 0) continue;
    if (mask.data[i]) both++;
  }
  return both / (2 * object - both);
}
