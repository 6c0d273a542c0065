import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { encodeImage } from '../image/encode.ts';
import type { Raster } from '../image/raster.ts';
import { resize } from '../image/resize.ts';
import { parseScenario } from '../scenarios/name.ts';
import { applyScenario, createSceneSource } from '../scenarios/scene.ts';
import { writeAtomic } from './atomic.ts';
import { defineJob } from './jobs.ts';
import type { PaintingOptions } from './painting-options.ts';
import { loadPhotograph, type PhotographOptions } from './photograph.ts';
import { createScenePool } from './scene-pool.ts';

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

export interface Picture {
  readonly scenario: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

export interface PicturesResult {
  readonly place: number;
  readonly pictures: Picture[];
}

export const picturesJob = defineJob<PicturesInit, PicturesTask, PicturesResult>({
  name: 'pictures',
  async open({ samples, scenarios, out, sizePx, seed, photographs, backgrounds, generated, painting }) {
    const pool = createScenePool({ samples, seed, photographs, backgrounds, generated, painting });
    return {
      async run({ place, sample: id }) {
        const pictures: Picture[] = [];
        const write = async (scenario: string, image: Raster) => {
          const small = reduce(image, sizePx);
          const file = `${String(place + 1).padStart(2, '0')}/${scenario.replaceAll(':', '@').replaceAll('/', '-')}.webp`;
          await writeAtomic(out, file, await encodeImage(small, { format: 'webp', quality: 78 }));
          pictures.push({ scenario, file, width: small.width, height: small.height });
        };
        for (const sample of samples.filter((candidate) => candidate.id === id)) {
          await despiteBadSamples(async () => {
            const photograph = await loadPhotograph(sample, photographs);
            if (sample.scenario) return write(sample.scenario, photograph.image);
            const source = createSceneSource({ sample, ...photograph, seed, pool });
            for (const text of scenarios) {
              await despiteBadSamples(async () => {
                const { scenario, params, name } = parseScenario(text);
                await write(name, (await applyScenario(scenario, source.scene(name), params)).image);
              });
            }
          });
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

/** What could not be made is in `errors.jsonl` already; here it only leaves a gap. */
async function despiteBadSamples(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof SampleError)) throw error;
  }
}
