import type { Sample } from '../contracts/sample.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { giveBackRoom, inRoom } from '../image/spare-room.ts';
import { type NamedScenario, parseScenario } from '../scenarios/name.ts';
import { applyScenario, createSceneSource } from '../scenarios/scene.ts';
import type { SampleErrors } from './error-budget.ts';
import { Interrupted } from './jobs.ts';
import { loadPhotograph, type Photograph } from './photograph.ts';
import { pluginHashOf } from './plugins/load.ts';
import { createScenePool, type ScenePoolOptions } from './scene-pool.ts';

/** One scenario of one sample, in pixels. */
export interface MadeVariant {
  readonly scenario: string;
  readonly image: Raster;
  readonly alpha?: Uint8Array;
  /** Where the object is now; undefined: the sample has no mask. */
  readonly mask: Mask | undefined;
  /** The object has left its place: `mask` is not the photograph's. */
  readonly moved: boolean;
  readonly photograph: Photograph;
  /** The edit that made it; undefined: the picture showed the scenario already. */
  readonly edit: NamedScenario | undefined;
  /** The same edit of the same photograph under another mask; undefined where the edit leaves the mask in its place. */
  maskAfterEditing(mask: Mask): Promise<Mask | undefined>;
  /**
   * Lets the next picture be written over this one; for a caller that is done with it and has passed it to nobody else.
   */
  giveBack(): void;
}

/** A sample whose photograph is decoded; every scenario is derived from it. */
export interface LoadedSample {
  readonly photograph: Photograph;
  /** A picture that shows a scenario already is taken as it is, whatever the name. */
  variant(scenario: string): Promise<MadeVariant>;
  /** Lets the memory of the photograph and its mask be used again; for a caller that keeps nothing of them or of its variants. */
  giveBack(): void;
}

/** Makes the variants of a dataset's samples. Any thread, in any order, makes the same pixels. */
export interface VariantMaker {
  load(sample: Sample): Promise<LoadedSample>;
}

interface MakerOptions extends ScenePoolOptions {
  /** Asked before each variant: once it is true, no more are made. */
  readonly isStopping?: () => boolean;
}

export function createVariantMaker(options: MakerOptions): VariantMaker {
  const { seed, photographs, isStopping = () => false } = options;
  const goOn = () => {
    if (isStopping()) throw new Interrupted();
  };
  const pool = createScenePool(options);
  const parsed = new Map<string, NamedScenario>();
  const editNamed = (name: string): NamedScenario => {
    const known = parsed.get(name) ?? parseScenario(name);
    parsed.set(name, known);
    return known;
  };
  return {
    async load(sample) {
      goOn();
      const read = await loadPhotograph(sample, photographs);
      // The decoder's memory cannot be given back; a copy can.
      const photograph = { ...read, image: { ...read.image, data: inRoom(read.image.data) } };
      let isOurs = true;
      const scenes = createSceneSource({ sample, ...photograph, seed, pool });
      return {
        photograph,
        async variant(scenario) {
          goOn();
          const edit = sample.scenario === undefined ? editNamed(scenario) : undefined;
          // A plugin may keep pixels, although it must not.
          const isPlugin = edit !== undefined && pluginHashOf(edit.scenario) !== undefined;
          if (isPlugin) isOurs = false;
          const scene = edit && scenes.scene(edit.name);
          const { image, alpha, mask } = scene
            ? await applyScenario(edit.scenario, scene, edit.params)
            : { image: photograph.image };
          if (scene && !isPlugin) scenes.giveBackScene(scene, image);
          return {
            scenario,
            image,
            alpha,
            mask: mask ?? photograph.mask,
            moved: mask !== undefined,
            photograph,
            edit,
            async maskAfterEditing(other) {
              if (!edit) return undefined;
              const source = createSceneSource({ sample, image: photograph.image, mask: other, seed, pool });
              return (await applyScenario(edit.scenario, source.scene(edit.name), edit.params)).mask;
            },
            giveBack() {
              if (edit && !isPlugin && image.data.buffer !== photograph.image.data.buffer) giveBackRoom(image.data);
            },
          };
        },
        giveBack() {
          if (!isOurs) return;
          scenes.giveBack();
          giveBackRoom(photograph.image.data);
          if (photograph.mask) giveBackRoom(photograph.mask.data);
        },
      };
    },
  };
}

/**
 * Decode once, then scenario by scenario what a job does with each. What cannot be read or made costs its sample, or its
 * scenario, and a line in `errors`. `make` may be left uncalled where the pixels are not needed. Returns what was decoded.
 */
export async function forEachVariant(
  maker: VariantMaker,
  sample: Sample,
  scenarios: Iterable<string>,
  errors: SampleErrors,
  act: (scenario: string, make: () => Promise<MadeVariant>, photograph: Photograph) => void | Promise<void>,
): Promise<LoadedSample | undefined> {
  let loaded: LoadedSample | undefined;
  await errors.during({}, async () => {
    const { photograph, variant } = (loaded = await maker.load(sample));
    for (const scenario of scenarios)
      await errors.during({ scenario }, () => act(scenario, () => variant(scenario), photograph));
  });
  return loaded;
}
