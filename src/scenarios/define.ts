import { z } from 'zod';
import type { Paint } from '../contracts/painting.ts';
import type { Random } from '../contracts/random.ts';
import type { ScenarioPart } from '../contracts/scenario-part.ts';
import type { Mask, Raster } from '../image/raster.ts';
import type { Border, SceneObject } from './paste.ts';

export type Need = 'mask' | 'backgrounds' | 'generator' | 'others';
export type ObjectPromise = 'untouched' | 'moved' | 'changed';

/** A photograph and what a scenario may ask about it. Heavy parts are made on first use and shared by all scenarios. */
export interface Scene {
  readonly sample: { readonly id: string; readonly label?: string };
  readonly image: Raster;
  /** Throws `SampleError('mask-missing')` where the sample has none. */
  readonly mask: Mask;
  /** Whether there is a mask: for edits that take it along but can do without. */
  readonly hasMask: boolean;
  /** Pixels that no edit may change, whatever the scenario: restored after it. */
  readonly protect?: Mask;
  /** Seeded by (seed, sample, scenario). */
  readonly random: Random;
  /**
   * The object with its own colours and how much of each pixel it covers, to be placed elsewhere; made once per sample.
   */
  object(): SceneObject;
  /**
   * The object, in place, over another picture of the same size. Sure pixels stay to the bit; where the mask's edge is
   * uncertain, `--edges matte` mixes the object's own colour with the new background.
   */
  paste(background: Raster, border?: Border): Raster;
  /** The photograph with the object removed and the hole filled; made once per sample. */
  filled(): Raster;
  /**
   * A scene to put the object into, already the size of `image`: from the user's folder, else another class's
   * photograph with its object removed.
   */
  background(): Promise<Raster>;
  /** Another photograph of the dataset, with its mask. */
  other(of: 'same-class' | 'other-class' | 'next-class'): Promise<{ image: Raster; mask: Mask }>;
  /** The background generated for this sample elsewhere, already the size of `image`; undefined without `--generated DIR`. */
  generated(): Promise<Raster | undefined>;
  /** The diffusion model's painting of an order; its noise depends on (seed, sample, the order's `noise`). */
  paint: Paint<Raster>;
}

/** One edited image. `mask` is where the object is now; left out when it has not moved. */
export interface Variant {
  readonly image: Raster;
  readonly mask?: Mask;
  /** 255 opaque; written to formats that can hold it. `image` is already flattened for models that cannot. */
  readonly alpha?: Uint8Array;
}

export type ParamShape = Record<string, z.ZodType>;
type ParamValues<P extends ParamShape> = { [K in keyof P]: z.output<P[K]> };

export interface Scenario<P extends ParamShape = ParamShape> {
  readonly id: string;
  /** Column of the regression and heading of the list; one of `families`. */
  readonly family: string;
  /** What it is for; scores, rankings, gates and verdicts count the shifts alone (`original` is its own). */
  readonly part: ScenarioPart;
  /** No camera makes such a picture: it counts in the score, but is never named as what breaks a model most. */
  readonly contrived?: boolean;
  /**
   * The untouched object stands before a background that is not its own and says nothing of its class: what the verdict
   * is made from. `paste-back` runs beside it, to tell what the pasting alone costs.
   */
  readonly otherBackground?: boolean;
  readonly title: string;
  /** One sentence: what is done, and whose recipe it is. */
  readonly description: string;
  /**
   * A promise, checked to the pixel: `untouched` (same pixels, same place), `moved` (placed elsewhere), `changed`. It
   * holds for the default parameters; `region=background` promises `untouched` whatever stands here (`promiseOf`).
   */
  readonly object: ObjectPromise;
  /** For the default parameters; `region` other than `image` needs a mask whatever stands here (`needsOf`). */
  readonly needs: readonly Need[];
  /** The first setting is a level rather than a variation, and is part of the name even at its default: `fog:3`. */
  readonly explicit?: boolean;
  /**
   * The first one is the value in `id:value`. Every one has a default and a description; `.meta({ accepts })` says in
   * words what a refinement takes.
   */
  readonly params: P;
  /** Its variants carry alpha, so they are written to a format that can hold it. */
  readonly alpha?: boolean;
  apply(scene: Scene, params: ParamValues<P>): Raster | Variant | Promise<Raster | Variant>;
}

export function defineScenario<const P extends ParamShape>(scenario: Scenario<P>): Scenario<P> {
  return scenario;
}

/** Headings of the list, in its order. */
export const families: Record<string, string> = {
  original: 'As it is',
  blur: 'Blur',
  colour: 'Colour',
  brightness: 'Brightness',
  background: 'Background',
  object: 'Size, position and direction of the object',
  'imagenet-9': 'Foreground and background apart (ImageNet-9)',
  industrial: 'Camera and light',
  control: 'Controls',
  corruption: 'Corruptions (ImageNet-C)',
};

export const positive = () => z.number().positive();
export const odd = ({ most }: { most: number }) =>
  z
    .number()
    .int()
    .positive()
    .max(most)
    .refine((n) => n % 2 === 1)
    .meta({ accepts: `an odd number, ${most} or less` });
/** Which pixels an edit is for. */
export const region = () => z.enum(['image', 'background', 'object']).describe('which pixels are edited');
/** A number given, or drawn anew for every sample. */
export const orRandom = <T extends z.ZodType>(given: T) => z.union([z.literal('random'), given]);
