import { readFile } from 'node:fs/promises';
import { doubt, type ObjectPlane } from '../../contracts/annotate/plane.ts';
import { fromBase64, packRuns, toBase64, unpackRuns } from '../../contracts/annotate/runs.ts';
import { SampleError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import type { Sample } from '../../contracts/sample.ts';
import { drawMaskTile } from '../../dataset/check/mask-tile.ts';
import { decodeImage } from '../../image/decode.ts';
import { encodeImage } from '../../image/encode.ts';
import type { Box } from '../../image/grabcut/grabcut.ts';
import type { Raster } from '../../image/raster.ts';
import type { Model, ModelDescription } from '../../models/define.ts';
import { openModel } from '../../models/open.ts';
import { salientMask } from '../../models/salient.ts';
import { defineJob } from '../../run/jobs.ts';
import { createLru } from '../../run/lru.ts';
import { type DrawnFile, encodeSampleMask, sampleMask, toShapes, valuesOf } from './drawn-file.ts';
import { cutInBox, refineDoubt } from './find-object.ts';
import { type Drawn, type Judgement, judge, ownLabel, readPlane } from './judge.ts';

export interface AnnotateInit {
  readonly samples: readonly Sample[];
  /** A salient-object model, as `mask` takes it. */
  readonly model?: { readonly spec: ModelConfig; readonly description: ModelDescription };
}

/** Pixels travel as runs in base64; `drawn` is where a mask drawn here lies. */
export type AnnotateTask = { readonly sample: number } & (
  | { readonly kind: 'look' | 'open' | 'tile'; readonly drawn?: Drawn }
  | { readonly kind: 'picture' | 'find' }
  | { readonly kind: 'cut'; readonly box: Box; readonly hints?: string }
  | { readonly kind: 'refine'; readonly runs: string }
  | { readonly kind: 'pack'; readonly runs: string; readonly objects: readonly string[] }
  | { readonly kind: 'repair'; readonly json: string }
);

export interface AnnotateResult {
  readonly judgement?: Judgement;
  readonly width?: number;
  readonly height?: number;
  readonly runs?: string;
  readonly objects?: readonly string[];
  readonly note?: string;
  readonly bytes?: Uint8Array;
  readonly shapes?: DrawnFile['shapes'];
  readonly doubt?: DrawnFile['sceneshift']['doubt'];
  /** Why it could not be done. */
  readonly problem?: string;
}

const pictureBytes = 160 * 2 ** 20;
const tilePx = 200;

/** The slow parts of drawing masks, in a thread of their own so that requests are answered meanwhile. */
export const annotateJob = defineJob<AnnotateInit, AnnotateTask, AnnotateResult>({
  name: 'studio-annotate',
  async open({ samples, model: given }) {
    const pictures = createLru<Raster>(pictureBytes, ({ data }) => data.length);
    const pictureOf = (sample: Sample) => pictures(sample.image, () => decodeImage(sample.image));
    let model: Promise<Model> | undefined;

    const answer = async (task: AnnotateTask): Promise<AnnotateResult> => {
      const sample = samples[task.sample];
      switch (task.kind) {
        case 'look':
        case 'open': {
          const read = await readPlane(sample, task.drawn);
          if (task.kind === 'look') return { judgement: read.judgement };
          return { ...read, runs: pack(read.plane) };
        }
        case 'tile': {
          const { plane, objects } = await readPlane(sample, task.drawn);
          const mask = sampleMask(plane, objects, ownLabel(sample));
          const tile = drawMaskTile(await pictureOf(sample), mask, tilePx);
          return { bytes: await encodeImage(tile, { format: 'webp', quality: 82 }) };
        }
        case 'picture':
          return { bytes: await encodeImage(await pictureOf(sample), { format: 'jpeg', quality: 95 }) };
        case 'find': {
          if (!given) throw new SampleError('other', 'No salient-object model was given (studio --mask-model FILE)');
          model ??= openModel(given.spec, { threads: 2, described: given.description });
          return { runs: pack(await salientMask(await model, await pictureOf(sample))) };
        }
        case 'cut': {
          const image = await pictureOf(sample);
          const hints = task.hints ? unpack(task.hints, image) : undefined;
          return { runs: pack(await cutInBox(image, task.box, hints?.data)) };
        }
        case 'refine': {
          const image = await pictureOf(sample);
          return { runs: pack({ data: refineDoubt(image, unpack(task.runs, image)) }) };
        }
        case 'pack': {
          const image = await pictureOf(sample);
          const plane = unpack(task.runs, image);
          if (
            valuesOf(plane)
              .subarray(task.objects.length + 1, doubt)
              .includes(1)
          )
            throw new SampleError('other', 'a pixel belongs to an object that is not named');
          const mask = sampleMask(plane, task.objects, ownLabel(sample));
          const { width, height } = image;
          return {
            ...(await toShapes(plane, task.objects)),
            ...{ width, height },
            bytes: await encodeSampleMask(mask),
            judgement: judge(mask),
          };
        }
        case 'repair': {
          const { plane, objects } = await readPlane(sample, {
            json: await readFile(task.json, 'utf8'),
            source: 'json',
          });
          return { bytes: await encodeSampleMask(sampleMask(plane, objects, ownLabel(sample))) };
        }
      }
    };

    return {
      async run(task) {
        try {
          return await answer(task);
        } catch (error) {
          if (error instanceof SampleError) return { problem: error.message };
          throw error;
        }
      },
      async close() {
        await (await model?.catch(() => undefined))?.close();
      },
    };
  },
});

const pack = ({ data }: Pick<ObjectPlane, 'data'>) => toBase64(packRuns({ data }));

function unpack(runs: string, { width, height }: Raster): ObjectPlane {
  try {
    return unpackRuns(fromBase64(runs), width, height);
  } catch (error) {
    throw new SampleError('other', `What was sent is no mask of this picture: ${(error as Error).message}`);
  }
}
