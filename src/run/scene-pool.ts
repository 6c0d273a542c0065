import { SampleError } from '../contracts/errors.ts';
import type { Random } from '../contracts/random.ts';
import type { Sample } from '../contracts/sample.ts';
import { decodeImage } from '../image/decode.ts';
import { fillHole } from '../image/fill.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { cover } from '../scenarios/cover.ts';
import type { ScenePool } from '../scenarios/scene.ts';
import { randomFor } from '../stats/random.ts';
import { findGenerated } from './generated-folder.ts';
import { createLru } from './lru.ts';
import { createPainter } from './painter.ts';
import type { PaintingOptions } from './painting-options.ts';
import { loadPhotograph, type PhotographOptions } from './photograph.ts';

/** What decides the pixels of every variant. */
export interface SceneSettings {
  readonly seed: number;
  readonly photographs: PhotographOptions;
  /** Files to put objects onto, from `listBackgrounds`; without them other classes' photographs serve, their objects removed. */
  readonly backgrounds?: readonly string[];
  /** Folder of backgrounds made for each sample elsewhere, files named after the sample. */
  readonly generated?: string;
  /** What paints backgrounds; the embedded model where left out. */
  readonly painting?: PaintingOptions;
}

export interface ScenePoolOptions extends SceneSettings {
  readonly samples: readonly Sample[];
  /** For pictures kept decoded. */
  readonly cacheBytes?: number;
}

const usualCacheBytes = 96 * 2 ** 20;
/** Removing an object takes a hundred times as long as pasting one, so only so many photographs are used as backgrounds. */
const mostDonors = 200;

/** Where scenarios get other pictures from. Picks by the given generator alone, so any thread picks the same. */
export function createScenePool(options: ScenePoolOptions): ScenePool {
  const { samples, seed, photographs, backgrounds, generated, painting = {}, cacheBytes = usualCacheBytes } = options;
  const painter = createPainter(painting);
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const cached = createLru<{ image: Raster; mask?: Mask }>(
    cacheBytes,
    ({ image, mask }) => image.data.length + (mask?.data.length ?? 0),
  );
  const masked = samples.filter((sample) => sample.mask && sample.label !== undefined && !sample.scenario);
  const classes = [...new Set(masked.map((sample) => sample.label as string))].sort();
  const byClass = new Map(classes.map((label) => [label, masked.filter((sample) => sample.label === label)]));
  const donors = masked.length > mostDonors ? randomFor(seed, 'donors').shuffle(masked).slice(0, mostDonors) : masked;

  const load = async (sample: Sample) => {
    const photograph = await loadPhotograph(sample, photographs);
    if (photograph.maskError) throw photograph.maskError;
    return photograph;
  };
  const photograph = (sample: Sample) => cached(`photograph ${sample.id}`, () => load(sample));
  const emptied = (sample: Sample) =>
    cached(`emptied ${sample.id}`, async () => {
      const { image, mask } = await load(sample);
      return { image: mask ? fillHole(image, mask, randomFor(seed, sample.id, 'fill')) : image };
    });
  const file = (path: string) => cached(path, async () => ({ image: await decodeImage(path, photographs) }));

  return {
    async background(random, sample, width, height) {
      if (backgrounds) return cover(await firstReadable(random, backgrounds, file), width, height);
      const others = donors.filter((donor) => donor.label !== sample.label);
      if (!others.length) {
        throw new SampleError(
          'no-background',
          'no photograph of another class, with a mask, to take a background from; give --backgrounds DIR',
        );
      }
      return cover(await firstReadable(random, others, emptied), width, height);
    },
    async other(random, sample, of) {
      const label = sample.label ?? '';
      const wanted =
        of === 'same-class'
          ? (byClass.get(label) ?? []).filter((other) => other.id !== sample.id)
          : of === 'other-class'
            ? masked.filter((other) => other.label !== label)
            : (byClass.get(classes[(classes.indexOf(label) + 1) % classes.length]) ?? []).filter(
                (other) => other.label !== label,
              );
      if (!wanted.length)
        throw new SampleError(
          'no-background',
          `no other photograph, with a mask, of ${relations[of]} ${label || 'this one'}`,
        );
      const { image, mask } = await firstReadable(random, wanted, photograph, (found) => found);
      return { image, mask: mask as Mask };
    },
    async generated(sample) {
      if (!generated) return undefined;
      const found = await findGenerated(generated, sample.id);
      if (found.path === undefined) throw new SampleError('no-background', found.problem);
      return (await file(found.path)).image;
    },
    paint: (order, { id }) => painter.paint(order, byId.get(id) as Sample, seed),
  };
}

const relations = {
  'same-class': 'the same class as',
  'other-class': 'another class than',
  'next-class': 'the class after',
};

/** Unreadable pictures are passed over: the generator is asked again, which is as reproducible as the first pick. */
async function firstReadable<Item, Found extends { image: Raster }, Result = Raster>(
  random: Random,
  items: readonly Item[],
  load: (item: Item) => Promise<Found>,
  result: (found: Found) => Result = (found) => found.image as Result,
): Promise<Result> {
  let lastError: unknown;
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return result(await load(random.pick(items)));
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      lastError = error;
    }
  }
  throw new SampleError('no-background', `no readable background in twenty tries: ${(lastError as Error).message}`);
}
