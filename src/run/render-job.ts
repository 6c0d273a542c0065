import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import { encodeImage, encodeMask } from '../image/encode.ts';
import { parseScenario } from '../scenarios/name.ts';
import { applyScenario, createSceneSource } from '../scenarios/scene.ts';
import { writeAtomic } from './atomic.ts';
import { errorLine } from './error-budget.ts';
import { defineJob } from './jobs.ts';
import { loadPhotograph, type PhotographOptions } from './photograph.ts';
import { planPaths, type RenderFormat, type RenderLayout } from './render-layouts.ts';
import { createScenePool } from './scene-pool.ts';

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

export const renderJob = defineJob<RenderInit, number, RenderResult>({
  name: 'render',
  async open({ samples, scenarios, out, seed, format, quality, layout, photographs, backgrounds, generated }) {
    const pool = createScenePool({ samples, seed, photographs, backgrounds, generated });
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
        const errors: ErrorLine[] = [];
        let found = 0;
        let source: Promise<Awaited<ReturnType<typeof open>>> | undefined;
        const open = async () => {
          const photograph = await loadPhotograph(sample, photographs);
          return createSceneSource({ sample, ...photograph, seed, pool });
        };
        const sharedMask = paths(index, 'original', false).mask;
        for (const { scenario, params, name } of parsed) {
          const place = paths(index, name, scenario.alpha === true);
          try {
            if (!(await exists(place.image))) {
              const scene = (await (source ??= open())).scene(name);
              const made = await applyScenario(scenario, scene, params);
              // The mask goes first, so that an image on disk always has its mask beside it.
              const maskPath = made.mask ? place.mask : sharedMask;
              if (sample.mask && !(await exists(maskPath)))
                await writeAtomic(out, maskPath, await encodeMask(made.mask ?? scene.mask));
              await writeAtomic(
                out,
                place.image,
                await encodeImage(made.image, { format: place.format, quality, alpha: made.alpha }),
              );
            } else found++;
            const mask = sample.mask && ((await exists(place.mask)) ? place.mask : sharedMask);
            variants.push({ scenario: name, image: place.image, mask });
          } catch (error) {
            errors.push(errorLine(error, { sample: sample.id, scenario: name }));
            // A photograph that cannot be read fails every scenario alike: one line is enough.
            const unreadable = await source?.then(
              () => false,
              () => true,
            );
            if (unreadable) {
              errors.splice(0, errors.length, errorLine(error, { sample: sample.id }));
              break;
            }
          }
        }
        return { sample: index, variants, found, errors };
      },
      async close() {},
    };
  },
});
