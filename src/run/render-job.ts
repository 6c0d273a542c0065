import type { ErrorLine } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import { encodeImage, encodeMask } from '../image/encode.ts';
import type { Mask } from '../image/raster.ts';
import { parseScenario } from '../scenarios/name.ts';
import { writePicture } from './atomic.ts';
import { collectErrors } from './error-budget.ts';
import { defineJob } from './jobs.ts';
import { keyOf, planPaths, type RenderFormat, type RenderLayout } from './render-layouts.ts';
import type { SceneSettings } from './scene-pool.ts';
import { createVariantMaker, forEachVariant, type MadeVariant } from './variants.ts';

export interface RenderInit extends SceneSettings {
  readonly samples: readonly Sample[];
  /** All samples that files are named after, so that a part of them goes to the same places. */
  readonly named: readonly Sample[];
  readonly scenarios: readonly string[];
  readonly out: string;
  readonly format: RenderFormat;
  readonly quality: number;
  readonly layout: RenderLayout;
  /** False: no masks are written. */
  readonly masks?: boolean;
}

export interface RenderTask {
  /** Place among the samples. */
  readonly sample: number;
  readonly scenarios: readonly string[];
}

export interface RenderResult extends RenderTask {
  /** What was written; the mask stands under `original` where the object has not moved. */
  readonly made: { readonly scenario: string; readonly image: string; readonly mask?: string }[];
  readonly errors: ErrorLine[];
}

/** The uncertain border as a trimap has it, so that what is read back is the mask that was edited with. */
function withBorder({ ignore, ...mask }: Mask): Mask {
  if (!ignore?.some(Boolean)) return mask;
  return { ...mask, data: mask.data.map((value, i) => (ignore[i] ? uncertainGrey : value)) };
}
const uncertainGrey = 128;

/** Pictures of a sample that wait for the encoder or the disk. */
const encodedAtOnce = 2;

export const renderJob = defineJob<RenderInit, RenderTask, RenderResult>({
  name: 'render',
  async open(init, host) {
    const { samples, named, out, format, quality, layout, masks = true } = init;
    const maker = createVariantMaker({ ...init, isStopping: host.isStopping });
    const paths = planPaths(named, layout, format);
    const place = new Map(named.map((sample, i) => [keyOf(sample), i]));

    return {
      async run({ sample: index, scenarios }) {
        const sample = samples[index];
        const at = place.get(keyOf(sample)) as number;
        const made: (RenderResult['made'][number] | undefined)[] = [];
        const errors = collectErrors(sample.id);
        const sharedMask = paths(at, 'original', false).mask;
        let sharedWritten: Promise<void> | undefined;
        const writeMask = async (path: string, mask: Mask) =>
          writePicture(out, path, await encodeMask(withBorder(mask)));
        const write = async (place: number, variant: MadeVariant) => {
          const { scenario, image, alpha, mask, moved } = variant;
          const own = paths(at, scenario, parseScenario(scenario).scenario.alpha === true);
          const maskPath = mask && masks ? (moved ? own.mask : sharedMask) : undefined;
          // The mask goes first, so that an image on disk always has its mask beside it.
          if (mask && maskPath)
            await (moved ? writeMask(maskPath, mask) : (sharedWritten ??= writeMask(maskPath, mask)));
          const bytes = await encodeImage(image, { format: own.format, quality, alpha });
          variant.giveBack();
          writePicture(out, own.image, bytes);
          made[place] = { scenario, image: own.image, ...(maskPath && { mask: maskPath }) };
        };
        const writing = new Set<Promise<void>>();
        let failed: { readonly error: unknown } | undefined;
        const endIfFailed = () => {
          if (failed) throw failed.error;
        };
        try {
          await forEachVariant(maker, sample, scenarios, errors, async (_scenario, make) => {
            const variant = await make();
            // The encoder works beside this thread, which goes on to the next edit.
            const written = write(made.push(undefined) - 1, variant)
              .catch((error: unknown) => void (failed ??= { error }))
              .finally(() => writing.delete(written));
            writing.add(written);
            if (writing.size > encodedAtOnce) await Promise.race(writing);
            endIfFailed();
          });
        } finally {
          await Promise.all(writing);
        }
        endIfFailed();
        return { sample: index, scenarios, made: made.filter((one) => one !== undefined), errors: errors.lines() };
      },
      async close() {},
    };
  },
});
