import { expected, SampleError, UserError } from '../contracts/errors.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { cover } from '../scenarios/cover.ts';
import type { Variant } from '../scenarios/define.ts';
import { type NamedScenario, parseScenario } from '../scenarios/name.ts';
import { applyScenario, createSceneSource, type ScenePool } from '../scenarios/scene.ts';
import { checkPicture } from './check.ts';

/** A picture in memory. */
export interface Picture {
  readonly image: Raster;
  /** Where the object is; most scenarios need it. */
  readonly mask?: Mask;
}

export interface ApplyOptions {
  readonly seed?: number;
  /** Names the picture: with the seed and the scenario it decides everything random. */
  readonly id?: string;
  readonly label?: string;
  /** Pictures to put the object onto, for scenarios that need them. */
  readonly backgrounds?: readonly Raster[];
  /** Other photographs with masks, for scenarios that mix two (`mixed-rand`). */
  readonly others?: readonly (Required<Picture> & { readonly label?: string })[];
}

export interface ScenarioHandle extends NamedScenario {
  /** The edited picture; pixels in, pixels out, in this thread. The same arguments give the same bytes. */
  apply(picture: Picture, options?: ApplyOptions): Promise<Variant>;
}

/** A scenario by its name, with its settings: `blur-background`, `size:0.05`, `blur-background:sigma=5+kernel=21`. */
export function scenario(name: string): ScenarioHandle {
  if (typeof name !== 'string') throw expected('a name', 'scenario', name);
  const named = parseScenario(name);
  return {
    ...named,
    async apply({ image, mask }, { seed = 0, id = '', label, backgrounds = [], others = [] } = {}) {
      checkPicture(image, mask);
      for (const background of backgrounds) checkPicture(background, undefined, 'backgrounds: ');
      for (const other of others) checkPicture(other.image, other.mask, 'others: ');
      const pool = poolInMemory(backgrounds, others);
      // What is known of a picture is kept with its object, and the caller may fill that with the next one.
      const picture = { image: { ...image }, mask: mask && { ...mask } };
      const source = createSceneSource({ sample: { id, label }, ...picture, seed, pool });
      return applyScenario(named.scenario, source.scene(named.name), named.params);
    },
  };
}

const poolInMemory = (backgrounds: readonly Raster[], others: NonNullable<ApplyOptions['others']>): ScenePool => ({
  async background(random, _sample, width, height) {
    if (!backgrounds.length)
      throw new SampleError('no-background', 'the scenario needs backgrounds; give pictures as `backgrounds`');
    return cover(random.pick(backgrounds), width, height);
  },
  async other(random, { label }, of) {
    const classes = [...new Set(others.map((other) => other.label ?? ''))].sort();
    const next = classes[(classes.indexOf(label ?? '') + 1) % classes.length];
    const wanted = others.filter((other) =>
      of === 'same-class'
        ? other.label === label
        : other.label !== label && (of === 'other-class' || other.label === next),
    );
    if (!wanted.length)
      throw new SampleError('no-background', `the scenario needs a photograph of the ${of}; give some as \`others\``);
    return random.pick(wanted);
  },
  generated: async () => undefined,
  paint: () => Promise.reject(new UserError('This scenario is painted by the diffusion model; use run or render')),
});
