import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import { encodeImage, encodeMask } from '../image/encode.ts';
import type { Mask } from '../image/raster.ts';
import { parseScenario } from '../scenarios/name.ts';
import { writeAtomic } from './atomic.ts';
import { collectErrors } from './error-budget.ts';
import { defineJob } from './jobs.ts';
import type { PaintingOptions } from './painting-options.ts';
import type { PhotographOptions } from './photograph.ts';
import { planPaths, type RenderFormat, type RenderLayout } from './render-layouts.ts';
import { createVariantMaker, type LoadedSample } from './variants.ts';

export interface RenderInit {
  readonly samples: readonly Sample[];
  readonly scenarios: readonly string[];
  readonly out: string;
  readonly seed: number;
  readonly format: RenderFormat;
  readonly quality: number;
  readonly layout: RenderLayout;
  readonly photographs: PhotographOptions;
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  readonly painting?: PaintingOptions;
}

/** A variant on disk; the mask stands under `original` where the object has not moved. */
export interface RenderedVariant {
  readonly scenario: string;
  readonly image: string;
  readonly mask?: string;
}

export interface RenderResult {
  readonly sample: number;
  readonly variants: RenderedVariant[];
  /** How many of them were there already. */
  readonly found: number;
  readonly errors: ErrorLine[];
}

/** The uncertain border as a trimap has it, so that what is read back is the mask that was edited with. */
function withBorder({ ignore, ...mask }: Mask): Mask {
  if (!ignore?.some(Boolean)) return mask;
  return { ...mask, data: mask.data.map((value, i) => (ignore[i] ? uncertainGrey : value)) };
}
const uncertainGrey = 128;

export const renderJob = defineJob<RenderInit, number, RenderResult>({
  name: 'render',
  async open({
    samples,
    scenarios,
    out,
    seed,
    format,
    quality,
    layout,
    photographs,
    backgrounds,
    generated,
    painting,
  }) {
    const maker = createVariantMaker({ samples, seed, photographs, backgrounds, generated, painting });
    const parsed = scenarios.map((name) => parseScenario(name));
    const paths = planPaths(samples, layout, format);
    const exists = (path: string) =>
      stat(join(out, path)).then(
        () => true,
        () => false,
      );

    return {
      async run(index) {
        const sample = samples[index];
        const variants: RenderedVariant[] = [];
        const errors = collectErrors(sample.id);
        let found = 0;
        let loading: Promise<LoadedSample> | undefined;
        const sharedMask = paths(index, 'original', false).mask;
        for (const { scenario, name } of parsed) {
          const place = paths(index, name, scenario.alpha === true);
          await errors.during({ scenario: name }, async () => {
            if (await exists(place.image)) found++;
            else {
              const { image, alpha, mask, moved } = await (await (loading ??= maker.load(sample))).variant(name);
              const maskPath = moved ? place.mask : sharedMask;
              // The mask goes first, so that an image on disk always has its mask beside it.
              if (mask && !(await exists(maskPath)))
                await writeAtomic(out, maskPath, await encodeMask(withBorder(mask)));
              const { format } = place;
              await writeAtomic(out, place.image, await encodeImage(image, { format, quality, alpha }));
            }
            const mask = (await exists(place.mask)) ? place.mask : (await exists(sharedMask)) ? sharedMask : undefined;
            variants.push({ scenario: name, image: place.image, mask });
          });
        }
        return { sample: index, variants, found, errors: errors.lines };
      },
      async close() {},
    };
  },
});
