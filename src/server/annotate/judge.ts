import { createPlane, type ObjectPlane } from '../../contracts/annotate/plane.ts';
import { SampleError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { MaskState } from '../../contracts/studio/annotate.ts';
import { maskDoubts } from '../../dataset/check/mask-doubts.ts';
import { loadMask } from '../../dataset/masks/load.ts';
import { decodeImage, inspectImage } from '../../image/decode.ts';
import { turnsUpright } from '../../image/format.ts';
import { area } from '../../image/mask-ops.ts';
import type { Mask } from '../../image/raster.ts';
import { parseDrawnFile, planeFromMask, planeOf, sampleMask } from './drawn-file.ts';

/** `dataset check`'s opinion of a mask. */
export interface Judgement {
  readonly state: MaskState;
  readonly doubts: readonly string[];
  /** The larger, the earlier it is shown. */
  readonly weight: number;
}

/**
 * What lies in the folder of drawn masks: LabelMe's file; or the PNG, where LabelMe's file is not from here or is
 * older.
 */
export type Drawn =
  | { readonly source: 'json'; readonly json: string }
  | { readonly source: 'png'; readonly png: string; readonly note: string };

const weights: Record<MaskState, number> = {
  unusable: 200,
  missing: 100,
  doubtful: 1,
  unlooked: 0.5,
  good: 0,
  'no-picture': -1,
};
export const judgementOf = (state: MaskState, doubts: readonly string[] = [], more = 0): Judgement => ({
  state,
  doubts,
  weight: weights[state] + more,
});

export function judge(mask: Mask): Judgement {
  const covered = area(mask);
  if (covered === 0) return judgementOf('missing', ['nothing is drawn']);
  if (covered === mask.data.length) return judgementOf('unusable', ['mask covers the whole image']);
  const doubts = maskDoubts(mask);
  if (!doubts.length) return judgementOf('good');
  const severity = doubts.reduce((sum, each) => sum + each.severity, 0);
  return judgementOf(
    'doubtful',
    doubts.map(({ message }) => message),
    severity,
  );
}

export interface ReadPlane {
  readonly plane: ObjectPlane;
  readonly objects: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly judgement: Judgement;
  readonly note?: string;
}

/** Objects without a name of their own are called by the picture's label. */
export const usualLabel = ({ label }: Pick<Sample, 'label'>): string => label?.trim().slice(0, 200) || 'object';

/** The label that the sample's own objects have; undefined: any. */
export const ownLabel = (sample: Pick<Sample, 'label'>): string | undefined =>
  sample.label === undefined ? undefined : usualLabel(sample);

/** A sample's mask as it can be drawn on: the one drawn here, else the dataset's own, else nothing. */
export async function readPlane(sample: Sample, drawn?: Drawn): Promise<ReadPlane> {
  const { width, height } = await sizeOf(sample.image);
  const base = { width, height, objects: [usualLabel(sample)] };
  if (drawn?.source === 'json') {
    const file = parseDrawnFile(drawn.json);
    if (!file) throw new SampleError('mask-unreadable', 'the file of the mask drawn is damaged');
    const plane = planeOf(file);
    if (plane.width === width && plane.height === height) {
      const { objects } = file.sceneshift;
      return { ...base, plane, objects, judgement: judge(sampleMask(plane, objects, ownLabel(sample))) };
    }
    const doubt = `the mask drawn is ${plane.width} × ${plane.height}, the picture ${width} × ${height}: it was drawn for another picture`;
    return { ...base, plane: createPlane(width, height), judgement: judgementOf('unusable', [doubt]) };
  }
  const source = drawn ? ({ kind: 'file', path: drawn.png } as const) : sample.mask;
  const said = drawn && { note: drawn.note };
  if (!source) return { ...base, plane: createPlane(width, height), judgement: judgementOf('missing') };
  try {
    const { mask } = await loadMask(source, { width, height, path: sample.image });
    return { ...base, ...said, plane: planeFromMask(mask), judgement: judge(mask) };
  } catch (error) {
    if (!(error instanceof SampleError)) throw error;
    const judgement = judgementOf('unusable', [error.message]);
    return { ...base, ...said, plane: createPlane(width, height), judgement };
  }
}

/** Of the picture as it is decoded; turned pictures are few, and decoded to be sure. */
async function sizeOf(path: string): Promise<{ width: number; height: number }> {
  const facts = await inspectImage(path);
  return facts.orientation > 4 && turnsUpright(facts, 'pillow') ? decodeImage(path) : facts;
}
