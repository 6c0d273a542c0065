import { SampleError } from '../contracts/errors.ts';
import type { PaintOrder } from '../contracts/painting.ts';
import type { Random } from '../contracts/random.ts';
import { compose } from '../image/compose.ts';
import { fillHole } from '../image/fill.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { giveBackRoom } from '../image/spare-room.ts';
import { randomFor } from '../stats/random.ts';
import { cover } from './cover.ts';
import type { Scene, Variant } from './define.ts';
import { settle } from './paint-around.ts';
import { type Border, objectOf, pasteOver, type SceneObject, withoutBorder } from './paste.ts';
import { promiseOf, type Scenario } from './registry.ts';

type SceneSample = Scene['sample'];
type OtherOf = Parameters<Scene['other']>[0];

/** Where a scene's other pictures come from. Every pick is made by the generator given, never by order. */
export interface ScenePool {
  /** A picture of the given size to put an object into, the caller's own. */
  background(random: Random, sample: SceneSample, width: number, height: number): Promise<Raster>;
  other(random: Random, sample: SceneSample, of: OtherOf): Promise<{ image: Raster; mask: Mask }>;
  /** The background made for this sample elsewhere, at any size; undefined where no folder of them was given. */
  generated(sample: SceneSample): Promise<Raster | undefined>;
  paint(order: PaintOrder, sample: SceneSample): Promise<Raster>;
}

export interface SceneSourceOptions {
  readonly sample: SceneSample;
  readonly image: Raster;
  readonly mask?: Mask;
  /** Why there is no mask, where that is known. */
  readonly maskError?: SampleError;
  /** Pixels that no edit may change. */
  readonly protect?: Mask;
  readonly seed: number;
  readonly pool: ScenePool;
}

/** One photograph, decoded once, from which every scenario gets a scene of its own. */
export interface SceneSource {
  /** `name` seeds the scene's generator: the scenario's canonical name. */
  scene(name: string): Scene;
  /** Lets the memory of a scene's own backgrounds be used again, once a scenario that keeps nothing has made `picture` of it. */
  giveBackScene(scene: Scene, picture: Raster): void;
  /** Lets the memory of what was made for several of its scenes be used again, when none of them is in use any more. */
  giveBack(): void;
}

/**
 * What a scene makes when it is asked for. Not getters of an object literal: V8 gives every such object a hidden class of
 * its own, which holds its getters, and by them the photograph, until the whole heap is collected.
 */
class WhenAsked {
  readonly #mask: () => Mask;
  readonly #random: () => Random;

  constructor(mask: () => Mask, random: () => Random) {
    this.#mask = mask;
    this.#random = random;
  }

  get mask(): Mask {
    return this.#mask();
  }

  get random(): Random {
    return this.#random();
  }
}

export function createSceneSource({
  sample,
  image,
  mask,
  maskError,
  protect,
  seed,
  pool,
}: SceneSourceOptions): SceneSource {
  let filled: Raster | undefined;
  let object: SceneObject | undefined;
  // They go with their scene: a studio asks the same source for scenes without end.
  const backgrounds = new WeakMap<Scene, Raster[]>();
  const needMask = (): Mask => {
    if (!mask) throw maskError ?? new SampleError('mask-missing', 'the sample has no mask, which the scenario needs');
    return mask;
  };
  const lifted = (): SceneObject => (object ??= objectOf(image, needMask()));
  return {
    scene(name) {
      let begun: Random | undefined;
      // Most scenarios never ask for it.
      const random = () => (begun ??= randomFor(seed, sample.id, withoutBorder(name)));
      const own: Raster[] = [];
      const scene: Scene = Object.assign(new WhenAsked(needMask, random), {
        sample,
        image,
        hasMask: mask !== undefined,
        ...(protect && { protect }),
        object: lifted,
        paste: (background: Raster, border: Border = 'auto') => pasteOver(lifted(), background, image, border),
        // Seeded without the scenario, so that all of them move the object over one and the same background.
        filled: () => (filled ??= fillHole(image, needMask(), randomFor(seed, sample.id, 'fill'))),
        async background() {
          const made = await pool.background(random(), sample, image.width, image.height);
          own.push(made);
          return made;
        },
        other: (of: OtherOf) => pool.other(random(), sample, of),
        async generated() {
          const found = await pool.generated(sample);
          return found && cover(found, image.width, image.height);
        },
        paint: (order: PaintOrder) => pool.paint(order, sample),
      });
      backgrounds.set(scene, own);
      return scene;
    },
    giveBackScene(scene, picture) {
      for (const { data } of backgrounds.get(scene)?.splice(0) ?? [])
        if (data.buffer !== picture.data.buffer) giveBackRoom(data);
    },
    giveBack() {
      if (filled) giveBackRoom(filled.data);
      filled = undefined;
    },
  };
}

export async function applyScenario(
  scenario: Scenario,
  scene: Scene,
  params: Record<string, unknown>,
): Promise<Variant> {
  const made = await scenario.apply(scene, params);
  const plain = 'image' in made ? made : { image: made };
  const variant = params.blend === 'diffusion' ? await settle(scene, plain) : plain;
  // Where the picture moves, what is protected moves with it, as part of the mask.
  if (!scene.protect || promiseOf(scenario, params) === 'moved') return variant;
  return restoreProtected(variant, scene.image, scene.protect);
}

function restoreProtected(variant: Variant, original: Raster, protect: Mask): Variant {
  const image = compose(original, variant.image, protect);
  if (!variant.alpha) return { ...variant, image };
  return { ...variant, image, alpha: variant.alpha.map((value, i) => (protect.data[i] ? 255 : value)) };
}
