import type { ModelConfig } from '../contracts/model-config.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { BorderPolicy, Sample } from '../contracts/sample.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { type DecodeMode, decodeImage } from '../image/decode.ts';
import { encodeMask } from '../image/encode.ts';
import { areaShare, fillHoles, iou, largestParts } from '../image/mask-ops.ts';
import type { ModelDescription } from '../models/define.ts';
import { openModel } from '../models/open.ts';
import { salientMask } from '../models/salient.ts';
import { writeAtomic } from './atomic.ts';
import { collectErrors } from './error-budget.ts';
import { grabCut } from './grabcut.ts';
import { defineJob } from './jobs.ts';

export interface MasksInit {
  readonly samples: readonly Sample[];
  /** Where each sample's mask goes, below `out`. */
  readonly paths: readonly string[];
  readonly out: string;
  /** A salient-object model; GrabCut where there is none. */
  readonly model?: { readonly spec: ModelConfig; readonly description: ModelDescription };
  /** Take the samples' boxes for GrabCut. */
  readonly boxes: boolean;
  /** Compare with the masks the samples have. */
  readonly compare: boolean;
  readonly border: BorderPolicy;
  /** Parts smaller than this share of the largest are dropped. */
  readonly minPartShare: number;
  readonly mode: DecodeMode;
  readonly maxPixels: number;
}

export interface MasksResult {
  readonly sample: number;
  readonly areaShare?: number;
  readonly iou?: number;
  readonly errors: ErrorLine[];
}

export const masksJob = defineJob<MasksInit, number, MasksResult>({
  name: 'masks',
  async open({ samples, paths, out, model: given, boxes, compare, border, minPartShare, mode, maxPixels }) {
    const model = given && (await openModel(given.spec, { threads: 1, described: given.description }));
    return {
      async run(index) {
        const sample = samples[index];
        const errors = collectErrors(sample.id);
        let found: Pick<MasksResult, 'areaShare' | 'iou'> = {};
        await errors.during({}, async () => {
          const image = await decodeImage(sample.image, { mode, maxPixels });
          const raw = model
            ? await salientMask(model, image)
            : await grabCut(image, { box: boxes ? sample.box : undefined });
          const mask = fillHoles(largestParts(raw, { minShare: minPartShare }));
          await writeAtomic(out, paths[index], await encodeMask(mask));
          found = { areaShare: areaShare(mask) };
          if (!compare || !sample.mask) return;
          const { mask: truth } = await loadMask(sample.mask, { ...image, path: sample.image }, { border, mode });
          found = { ...found, iou: iou(truth, mask) };
        });
        return { sample: index, ...found, errors: errors.lines };
      },
      async close() {
        await model?.close();
      },
    };
  },
});
