import { z } from 'zod';
import type { ScenarioField } from './start.ts';

/** Uploads are named by their content. */
const contentId = z.string().regex(/^[0-9a-f]{24}$/, 'the name of something sent to the studio before');

/** A picture of a run's or dataset's, or one sent to the studio; with its own mask unless another is named. */
const subjectShape = {
  /** `run:ID` or `dataset:ID`: whose models answer, and whose other photographs may serve as backgrounds. */
  place: z.string().max(300),
  sample: z.string().max(2000).optional(),
  picture: contentId.optional(),
  mask: contentId.optional(),
  /** As models are shown pictures, or upright and in the right colours. */
  decode: z.enum(['pillow', 'corrected']).optional(),
};
const hasOne = ({ sample, picture }: { sample?: string; picture?: string }) =>
  (sample === undefined) !== (picture === undefined);
const oneOf = { message: 'a sample or a picture, one of the two' };

export const trySubjectSchema = z.object(subjectShape).refine(hasOne, oneOf);
export type TrySubject = z.infer<typeof trySubjectSchema>;

export const trySizes = [256, 512, 1024] as const;

/** `GET try/edit`, `try/answers`, `try/paint`. */
export const tryEditSchema = z
  .object({
    ...subjectShape,
    scenario: z.string().max(500).default('original'),
    /** Longer side at most, before the edit. */
    size: z.coerce
      .number()
      .pipe(z.union(trySizes.map((size) => z.literal(size))))
      .default(512),
    /** What the picture shows, where its sample does not say. */
    label: z.string().max(300).optional(),
  })
  .refine(hasOne, oneOf);
export type TryEdit = z.infer<typeof tryEditSchema>;

const share = z.number().min(0).max(1);
/** `POST try/masks/box`: left, top, width, height as shares of the picture; `POST try/masks/salient` has none. */
export const tryMaskSchema = z
  .object({ ...subjectShape, box: z.tuple([share, share, share, share]).optional() })
  .refine(hasOne, oneOf);

/** `GET try?place`. */
export interface TryOptions {
  readonly places: readonly { readonly id: string; readonly name: string }[];
  /** The one that the rest is about; null where there is none. */
  readonly place: string | null;
  /** Its word in the form that starts runs. */
  readonly dataset: string | null;
  /** Masks can be drawn for it by hand: it was given, and is not only known from a run. */
  readonly canAnnotate: boolean;
  readonly models: readonly string[];
  /** Labels of the dataset, and what people are shown for them. */
  readonly classes: readonly { readonly label: string; readonly name: string }[];
  readonly samples: number;
  readonly families: Readonly<Record<string, string>>;
  readonly scenarios: readonly (ScenarioField & { readonly needs: readonly string[] })[];
  /** A model that marks what stands out is configured. */
  readonly salient: boolean;
  /** Words that the painting model knows, where they are few; null: nothing here paints. */
  readonly painting: { readonly words: readonly string[] | null } | null;
}

/** `GET try/samples?place&find`. */
export interface TrySamples {
  readonly total: number;
  /** Labels as people are shown them. */
  readonly samples: readonly { readonly id: string; readonly label: string | null; readonly hasMask: boolean }[];
}

/** `POST try/pictures`. */
export interface TryPicture {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** In which ways a person sees it otherwise than models do (`orientation`, `profile`, …). */
  readonly differences: readonly string[];
}

/** `POST try/masks`, `try/masks/box`, `try/masks/salient`. */
export interface TryMask {
  readonly id: string;
  readonly areaShare: number;
  readonly notes: readonly string[];
}

/** Heads of `GET try/edit`, whose body is RGB and, where the object is known, one byte of mask a pixel. */
export const editHeads = { width: 'x-width', height: 'x-height', scenario: 'x-scenario', mask: 'x-mask' } as const;

/** A line of `GET try/answers`. */
export interface TryAnswer {
  readonly model: string;
  readonly best?: readonly {
    readonly answer: string;
    readonly probability: number | null;
    readonly isTruth: boolean;
  }[];
  /** What the picture shows is known to this model: the best answer is right or wrong. */
  readonly isJudged?: boolean;
  readonly problem?: string;
}

/** A line of `GET try/paint`. */
export type TryPainting =
  | { readonly share: number }
  | { readonly done: true; readonly scenario: string }
  | { readonly error: string };
