import type { Sample } from '../contracts/sample.ts';
import { encodeImage } from '../image/encode.ts';
import type { Raster } from '../image/raster.ts';
import { resize } from '../image/resize.ts';
import { writeAtomic } from './atomic.ts';
import { collectErrors } from './error-budget.ts';
import { defineJob } from './jobs.ts';
import type { PaintingOptions } from './painting-options.ts';
import type { PhotographOptions } from './photograph.ts';
import { createVariantMaker, forEachVariant } from './variants.ts';

export interface PicturesInit {
  /** All samples of the run: scenes may borrow from any of them. */
  readonly samples: readonly Sample[];
  readonly scenarios: readonly string[];
  /** The run's `pictures/`. */
  readonly out: string;
  readonly sizePx: number;
  readonly seed: number;
  readonly photographs: PhotographOptions;
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  readonly painting?: PaintingOptions;
}

export interface PicturesTask {
  /** Place in the list of telling samples; the name of its folder. */
  readonly place: number;
  readonly sample: string;
}

export interface KeptPicture {
  readonly scenario: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

export interface PicturesResult {
  readonly place: number;
  readonly pictures: KeptPicture[];
}

export const picturesJob = defineJob<PicturesInit, PicturesTask, PicturesResult>({
  name: 'pictures',
  async open({ samples, scenarios, out, sizePx, seed, photographs, backgrounds, generated, painting }) {
    const maker = createVariantMaker({ samples, seed, photographs, backgrounds, generated, painting });
    return {
      async run({ place, sample: id }) {
        const pictures: KeptPicture[] = [];
        const write = async (scenario: string, image: Raster) => {
          const small = reduce(image, sizePx);
          const file = `${String(place + 1).padStart(2, '0')}/${scenario.replaceAll(':', '@').replaceAll('/', '-')}.webp`;
          await writeAtomic(out, file, await encodeImage(small, { format: 'webp', quality: 78 }));
          pictures.push({ scenario, file, width: small.width, height: small.height });
        };
        // What cannot be made is in `errors.jsonl` already; here it only leaves a gap.
        const errors = collectErrors(id);
        for (const sample of samples.filter((candidate) => candidate.id === id)) {
          const shown = sample.scenario ? [sample.scenario] : scenarios;
          await forEachVariant(maker, sample, shown, errors, async (scenario, make) =>
            write(scenario, (await make()).image),
          );
        }
        return { place, pictures };
      },
      async close() {},
    };
  },
});

function reduce(image: Raster, sizePx: number): Raster {
  const scale = sizePx / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  return resize(image, width, height, 'lanczos');
}
