import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import type { SegmentationRow } from '../contracts/segmentation.ts';
import { boundaryCounts } from '../image/boundary-counts.ts';
import { createMask, type Mask } from '../image/raster.ts';
import type { Answer } from '../models/define.ts';
import { partOf } from '../scenarios/registry.ts';

interface SegmentationContext {
  readonly model: string;
  readonly scenario: string;
  readonly sample: Sample;
  /** The variant's own mask: moved with the object. */
  readonly truth: Mask;
  /** Names of the model's classes; without them any class but 0 is the object. */
  readonly labels: readonly string[];
}

/**
 * Counts of one segmented variant: the object as a whole (every class but 0, against the mask) and, where the model has
 * a class of the sample's label, that class alone.
 */
export function toSegmentationRows(
  answer: Answer,
  { model, scenario, sample, truth: mask, labels }: SegmentationContext,
): SegmentationRow[] {
  // Where the object is removed there is none to find, wherever it was.
  const truth = partOf(scenario) === 'removal' ? createMask(mask.width, mask.height) : mask;
  if (answer.kind === 'failed') throw new SampleError('model-failed', answer.message);
  if (answer.kind !== 'mask') throw new Error(`${model} answered without a mask`);
  const { width, height, data } = answer.classes;
  if (width !== truth.width || height !== truth.height) {
    throw new SampleError(
      'model-failed',
      `${model} segmented ${width}×${height} pixels of a variant of ${truth.width}×${truth.height}`,
    );
  }
  const shared = { model, scenario, sample: sample.id, group: sample.group ?? '', label: sample.label ?? '' };
  const count = (isPredicted: (index: number) => boolean) => counts(maskOf(width, height, data, isPredicted), truth);
  const rows = [{ ...shared, class: 'object', ...count((index) => index !== 0) }];
  const own = labels.findIndex((label) => label.toLowerCase() === sample.label?.toLowerCase());
  if (own > 0 && labels.length > 2) rows.push({ ...shared, class: labels[own], ...count((index) => index === own) });
  return rows;
}

function maskOf(
  width: number,
  height: number,
  classes: ArrayLike<number>,
  isPredicted: (index: number) => boolean,
): Mask {
  const mask = createMask(width, height);
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = isPredicted(classes[i]) ? 255 : 0;
  return mask;
}

function counts(predicted: Mask, truth: Mask) {
  const sum = { intersection: 0, union: 0, predicted: 0, truth: 0, correctPixels: 0, pixels: 0 };
  for (let i = 0; i < truth.data.length; i++) {
    if (truth.ignore?.[i]) continue;
    const p = predicted.data[i] ? 1 : 0;
    const t = truth.data[i] ? 1 : 0;
    sum.intersection += p & t;
    sum.union += p | t;
    sum.predicted += p;
    sum.truth += t;
    sum.correctPixels += p === t ? 1 : 0;
    sum.pixels++;
  }
  return { ...sum, ...boundaryCounts(predicted, truth) };
}
