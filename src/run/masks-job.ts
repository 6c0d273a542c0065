import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { SampleError, UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { BorderPolicy, Sample } from '../contracts/sample.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { type DecodeMode, decodeImage } from '../image/decode.ts';
import { encodeMask } from '../image/encode.ts';
import { grabCut } from '../image/grabcut/grabcut.ts';
import { areaShare, fillHoles, iou, largestParts } from '../image/mask-ops.ts';
import { createMask, type Mask } from '../image/raster.ts';
import type { ModelDescription } from '../models/define.ts';
import { openModel } from '../models/open.ts';
import { salientMask } from '../models/salient.ts';
import { writeAtomic } from './atomic.ts';
import { collectErrors } from './error-budget.ts';
import { hashFile, hashJson } from './hash.ts';
import { defineJob } from './jobs.ts';

/** What was made before: `key` stands for all that decides a mask, its image's bytes among them. */
export interface KnownMask {
  readonly key: string;
  readonly areaShare: number;
}

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
  /** By place among the samples. */
  readonly known: readonly (KnownMask | undefined)[];
}

export interface MasksResult {
  readonly sample: number;
  readonly made?: KnownMask;
  /** Made by an earlier call. */
  readonly found?: boolean;
  readonly iou?: number;
  readonly errors: ErrorLine[];
}

/** Changed whenever the same picture and settings give another mask. */
const recipe = 2;

export const masksJob = defineJob<MasksInit, number, MasksResult>({
  name: 'masks',
  async open({ samples, paths, out, model: given, boxes, compare, border, minPartShare, mode, maxPixels, known }) {
    const model = given && (await openModel(given.spec, { threads: 1, described: given.description }));
    const settings = { recipe, model: given?.description.identity ?? 'grabcut', minPartShare, mode };

    async function make(sample: Sample): Promise<Mask> {
      const image = await decodeImage(sample.image, { mode, maxPixels });
      const box = boxes ? sample.box : undefined;
      const raw = await (model ? salientMask(model, image) : grabCut(image, { box })).catch((cause) => {
        if (cause instanceof UserError) throw cause;
        const problem = cause instanceof SampleError ? cause.problem : 'model-failed';
        throw new SampleError(problem, (cause as Error).message, { file: sample.image, cause });
      });
      return fillHoles(largestParts(raw, { minShare: minPartShare }));
    }

    async function agreement(sample: Sample, path: string): Promise<number | undefined> {
      if (!compare || !sample.mask) return undefined;
      const { width, height, data } = await decodeImage(join(out, path), { maxPixels });
      const own = createMask(width, height);
      for (let i = 0; i < own.data.length; i++) own.data[i] = data[i * 3];
      const { mask: truth } = await loadMask(sample.mask, { width, height, path: sample.image }, { border, mode });
      return iou(truth, own);
    }

    return {
      async run(index) {
        const sample = samples[index];
        const errors = collectErrors(sample.id);
        let result: Pick<MasksResult, 'made' | 'found' | 'iou'> = {};
        await errors.during({}, async () => {
          // A file that cannot be read has no hash; decoding it says why.
          const bytes = await hashFile(sample.image).catch(() => null);
          const key = hashJson({ ...settings, bytes, box: boxes ? (sample.box ?? null) : null });
          const before = known[index];
          const there = await access(join(out, paths[index])).then(
            () => true,
            () => false,
          );
          if (before?.key === key && there) result = { made: before, found: true };
          else {
            const mask = await make(sample);
            await writeAtomic(out, paths[index], await encodeMask(mask));
            result = { made: { key, areaShare: areaShare(mask) } };
          }
          result = { ...result, iou: await agreement(sample, paths[index]) };
        });
        return { sample: index, ...result, errors: errors.lines() };
      },
      async close() {
        await model?.close();
      },
    };
  },
});
