import { z } from 'zod';
import type { MiningRecord, Released } from '../mining.ts';

/** `GET runs/:run/mine`. */
export interface MinePage {
  /** Null: `sceneshift mine` has not been here. */
  readonly mining: MiningRecord | null;
  readonly released: Released | null;
}

const words = z.array(z.string()).default([]);

/** `GET runs/:run/mine/pictures`: which pictures stand behind a number. */
export const minedQuerySchema = z.object({
  set: z.enum(['pool', 'chosen', 'released']).default('chosen'),
  /** Models that all get it wrong, and models that all get it right. */
  wrong: words,
  right: words,
  nuisance: z.string().optional(),
  class: z.string().optional(),
  /** Examples of a failure mode, by its place in the record. */
  mode: z.coerce.number().int().nonnegative().optional(),
});
export type MinedQuery = z.infer<typeof minedQuerySchema>;

/** `minedQuerySchema` from an address. */
export const minedQueryOf = (query: URLSearchParams): MinedQuery =>
  minedQuerySchema.parse({
    ...Object.fromEntries(query),
    wrong: query.getAll('wrong'),
    right: query.getAll('right'),
  });

/** Of every picture that was answered by all, which models get it wrong: all that `chooseMined` asks. */
export interface MinedPool {
  readonly models: readonly string[];
  readonly words: readonly string[];
  readonly items: readonly {
    readonly sample: string;
    readonly scenario: string;
    readonly label: string;
    /** The label for people: a wnid's words. */
    readonly name: string;
    readonly nuisance: string;
    readonly detail?: string;
  }[];
  /** Model by model, in the order of the items: the place of its wrong answer among the words, -1 where it is right. */
  readonly wrongAnswers: readonly (readonly number[])[];
}

export interface MinedPicture {
  readonly sample: string;
  readonly scenario: string;
  readonly label: string;
  readonly nuisance: string;
  /** Models that get it wrong, of how many. */
  readonly wrong: readonly string[];
  readonly models: number;
  /** The wrong answer most of them give. */
  readonly answer: string | null;
}

export interface MinedPictures {
  readonly total: number;
  /** As many as are shown at once. */
  readonly pictures: readonly MinedPicture[];
}
