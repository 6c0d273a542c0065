import { SampleError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type DecodeMode, decodeImage } from '../../image/decode.ts';
import { encodeMask } from '../../image/encode.ts';
import { type Box, grabCut } from '../../image/grabcut/grabcut.ts';
import { areaShare, fillHoles, largestParts } from '../../image/mask-ops.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import type { ModelDescription } from '../../models/define.ts';
import { openModel } from '../../models/open.ts';
import { salientMask } from '../../models/salient.ts';
import { defineJob } from '../../run/jobs.ts';
import { createLru } from '../../run/lru.ts';
import { createPainter } from '../../run/painter.ts';
import { loadPhotograph, type Photograph } from '../../run/photograph.ts';
import { createScenePool } from '../../run/scene-pool.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { applyScenario, createSceneSource, type SceneSource } from '../../scenarios/scene.ts';
import { isCancelled } from '../cancel-flags.ts';
import type { VariantInit } from '../variant-job.ts';

export interface EditInit extends VariantInit {
  readonly cancelled: SharedArrayBuffer;
  readonly salient?: { readonly spec: ModelConfig; readonly description: ModelDescription };
}

interface Subject {
  readonly sample: Sample;
  readonly mode?: DecodeMode;
}

export type EditTask = Subject & { readonly number: number } & (
    | { readonly kind: 'edit'; readonly scenario: string; readonly longSidePx: number }
    /** Fills the object's old place ahead, which edits that move the object need. */
    | { readonly kind: 'warm'; readonly longSidePx: number }
    /** The box in shares of the picture. */
    | { readonly kind: 'box'; readonly box: Box }
    | { readonly kind: 'salient' }
  );

export interface EditResult {
  readonly image?: Raster;
  /** Where the object is now. */
  readonly mask?: Mask;
  /** A mask made: PNG and what it covers. */
  readonly made?: { readonly png: Uint8Array; readonly areaShare: number };
  /** Of a painting, so far. */
  readonly share?: number;
  /** What the picture took in this thread. */
  readonly workedMs?: number;
  readonly problem?: string;
}

interface Loaded {
  readonly photograph: Photograph;
  readonly source: SceneSource;
  /** Whose painting is watched; set by the task in hand. */
  watch: { signal: AbortSignal; onStep(share: number): void } | undefined;
}

const poolBytes = 96 * 2 ** 20;
const loadedBytes = 96 * 2 ** 20;
const minPartShare = 0.01;

/** Edits of single pictures for someone who watches: what was decoded, cut out and filled stays for the next edit. */
export const editJob = defineJob<EditInit, EditTask, EditResult>({
  name: 'studio-edit',
  async open(init) {
    const { seed, photographs } = init;
    const pool = createScenePool({ ...init, cacheBytes: poolBytes });
    const painter = createPainter(init.painting ?? {});
    const held = createLru<Loaded>(loadedBytes, ({ photograph: { image } }) => 6 * image.data.length);
    let salient: ReturnType<typeof openModel> | undefined;

    const load = (sample: Sample, mode: DecodeMode | undefined, longSidePx: number) =>
      held(JSON.stringify([sample, mode, longSidePx]), async () => {
        const photograph = await loadPhotograph(sample, { ...photographs, ...(mode && { mode }), longSidePx });
        const paint: typeof pool.paint = (order) => painter.paint(order, sample, seed, loaded.watch);
        const source = createSceneSource({ sample, ...photograph, seed, pool: { ...pool, paint } });
        const loaded: Loaded = { photograph, source, watch: undefined };
        return loaded;
      });

    const makeMask = async (image: Raster, task: EditTask): Promise<Mask> => {
      if (task.kind === 'box') {
        const { width, height } = image;
        const [x, y, w, h] = task.box;
        return grabCut(image, { box: [x * width, y * height, w * width, h * height] });
      }
      if (!init.salient) throw new SampleError('other', 'no model that marks objects is configured');
      salient ??= openModel(init.salient.spec, { threads: 2, described: init.salient.description });
      return salientMask(await salient, image);
    };

    const answer = async (task: EditTask, emit: (part: EditResult) => void): Promise<EditResult> => {
      if (task.kind === 'box' || task.kind === 'salient') {
        const image = await decodeImage(task.sample.image, { ...photographs, ...(task.mode && { mode: task.mode }) });
        const mask = fillHoles(largestParts(await makeMask(image, task), { minShare: minPartShare }));
        const share = areaShare(mask);
        if (share === 0 || share === 1)
          throw new SampleError('mask-empty', `no object was found${task.kind === 'box' ? ' in the box' : ''}`);
        return { made: { png: await encodeMask(mask), areaShare: share } };
      }
      const began = performance.now();
      const loaded = await load(task.sample, task.mode, task.longSidePx);
      const { photograph, source } = loaded;
      if (task.kind === 'warm') {
        if (photograph.mask) {
          const scene = source.scene('warm');
          scene.object();
          scene.filled();
        }
        return {};
      }
      const stop = new AbortController();
      loaded.watch = {
        signal: stop.signal,
        onStep(share) {
          if (isCancelled(init.cancelled, task.number)) stop.abort();
          emit({ share });
        },
      };
      const { scenario, params, name } = parseScenario(task.scenario);
      const { image, mask } = await applyScenario(scenario, source.scene(name), params);
      return { image, mask: mask ?? photograph.mask, workedMs: performance.now() - began };
    };

    return {
      async run(task, emit) {
        try {
          return await answer(task, emit);
        } catch (error) {
          if (error instanceof SampleError) return { problem: error.message };
          if (isCancelled(init.cancelled, task.number)) return { problem: 'given up' };
          throw error;
        }
      },
      async close() {
        await (await salient)?.close();
      },
    };
  },
});
