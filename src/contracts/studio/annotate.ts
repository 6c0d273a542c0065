import { z } from 'zod';
import { mostObjects } from '../annotate/plane.ts';

/** What a mask is worth, the worst first; `unlooked` has a mask that nobody has opened yet. */
export const maskStates = ['unusable', 'missing', 'doubtful', 'unlooked', 'good', 'no-picture'] as const;
export type MaskState = (typeof maskStates)[number];

/** What of a dataset is gone through: `todo` is missing, unusable or doubtful. */
export const annotateShows = ['todo', 'missing', 'doubtful', 'drawn', 'all'] as const;
export type AnnotateShow = (typeof annotateShows)[number];
export const annotateShowSchema = z.enum(annotateShows).default('todo');

/** A picture of the dataset, and what `dataset check` thinks of its mask. */
export interface AnnotatedSample {
  readonly id: string;
  readonly label: string | null;
  /** What people are shown for it. */
  readonly labelName: string | null;
  readonly state: MaskState;
  /** In words: why it should be looked at. */
  readonly doubts: readonly string[];
  /** Its mask was drawn here. */
  readonly drawn: boolean;
}

/** `GET annotate`. */
export interface AnnotateDatasets {
  readonly datasets: readonly { readonly id: string; readonly name: string }[];
  /** Known from runs alone: nothing is written beside those. */
  readonly others: readonly { readonly name: string }[];
}

/** `GET annotate/:dataset`. */
export interface AnnotateDataset {
  readonly name: string;
  /** Folder that masks go to. */
  readonly folder: string;
  /** What to type to use them. */
  readonly use: readonly string[];
  /** The dataset with the masks drawn, by its word in addresses; null where there is none yet. */
  readonly made: string | null;
  readonly counts: Readonly<Record<AnnotateShow, number>>;
  /** Masks that were looked at, of those there are. */
  readonly looked: number;
  readonly toLook: number;
  /** A page of what was asked for, the worst first. */
  readonly samples: readonly AnnotatedSample[];
}

/** `GET annotate/:dataset/turn`. */
export interface AnnotateTurn {
  readonly sample: AnnotatedSample;
  readonly width: number;
  readonly height: number;
  /** Of what is on disk; sent back with what is saved (`If-Match`). */
  readonly version: string;
  /** Where the mask drawn lies or will lie, below the folder. */
  readonly file: string;
  readonly savedAt: string | null;
  /** The labels of objects 1, 2, …, and the plane in runs (base64). */
  readonly objects: readonly string[];
  readonly runs: string;
  /** Said where what is shown is not what was saved. */
  readonly note: string | null;
  readonly previous: string | null;
  readonly next: string | null;
  /** Its place in what is gone through, from 1; null where it is not among it. */
  readonly place: number | null;
  readonly of: number;
  /** A salient-object model is there. */
  readonly canFind: boolean;
}

const runsSchema = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'runs in base64');
export const objectLabelSchema = z.string().trim().min(1).max(200);

/** `PUT annotate/:dataset/mask`. */
export const annotateSaveSchema = z.strictObject({
  sample: z.string(),
  objects: z.array(objectLabelSchema).min(1).max(mostObjects),
  runs: runsSchema,
});
export interface AnnotateSaved {
  readonly version: string;
  readonly savedAt: string;
  readonly file: string;
  readonly sample: AnnotatedSample;
}

const side = z.number().finite().min(-1e6).max(1e6);
/** `POST annotate/:dataset/cut`: GrabCut inside a box, `[x, y, width, height]`; hints are strokes that it must heed. */
export const annotateCutSchema = z.strictObject({
  sample: z.string(),
  box: z.tuple([side, side, side.positive(), side.positive()]),
  /** A plane in runs: 1 is object, 2 is background, 0 unsaid. */
  hints: runsSchema.optional(),
});
/** `POST annotate/:dataset/find`: what a salient-object model sees. */
export const annotateFindSchema = z.strictObject({ sample: z.string() });
/** `POST annotate/:dataset/refine`: doubt decided by matting. */
export const annotateRefineSchema = z.strictObject({ sample: z.string(), runs: runsSchema });
/** Runs at the picture's size: 0 is background, anything else object; of `refine`, levels 0 to 255. */
export interface AnnotateFound {
  readonly runs: string;
}
