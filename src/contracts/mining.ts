import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]);
const estimate = z.object({ estimate: z.number(), ci: interval });

/** Something that wrong answers have in common. */
export const failureModeSchema = z.object({
  by: z.enum(['kind', 'nuisance', 'class', 'confusion', 'saliency', 'cluster']),
  value: z.string(),
  pictures: z.number(),
  /** Share of answers that are wrong (of a confusion: that are this wrong answer), here and elsewhere. */
  fails: z.number(),
  elsewhere: z.number(),
  /** Null: never elsewhere. */
  ratio: z.number().nullable(),
  ci: interval.nullable(),
  p: z.number(),
  pCorrected: z.number(),
  /** Of a cluster: what its pictures share more often than all. */
  shares: z.array(z.object({ value: z.string(), share: z.number() })),
  examples: z.array(z.object({ scenario: z.string(), sample: z.string() })),
});
export type FailureMode = z.infer<typeof failureModeSchema>;

/** `mining.json` of a run folder: what was chosen, how, and what it showed. */
export const miningRecordSchema = z.object({
  version: z.literal(1),
  run: z.string(),
  time: z.string(),
  seed: z.number(),
  pool: z.object({ pictures: z.number(), incomplete: z.number(), models: z.array(z.string()) }),
  selection: z.object({
    surrogates: z.array(z.string()),
    targets: z.array(z.string()),
    atLeast: z.number(),
    onSeed: z.number().nullable(),
    perClass: z.number().nullable(),
    perNuisance: z.number().nullable(),
    size: z.number().nullable(),
    candidates: z.number(),
    leftOut: z.object({ perClass: z.number(), perNuisance: z.number(), size: z.number() }),
    /** Of the surrogates' answers, which alone decided: `mine --verify` chooses again from them and compares. */
    answersHash: z.string(),
  }),
  chosen: z.array(
    z.object({
      sample: z.string(),
      scenario: z.string(),
      label: z.string(),
      nuisance: z.string(),
      seed: z.number().nullable(),
      failedBy: z.array(z.string()),
    }),
  ),
  transfer: z.array(
    z.object({
      model: z.string(),
      role: z.enum(['surrogate', 'target', 'other']),
      n: z.number(),
      hard: estimate,
      random: estimate,
      matched: estimate,
      fall: estimate,
      fallMatched: estimate,
    }),
  ),
  /** Every set of surrogates of up to `mostSurrogates` models against every model outside it. */
  matrix: z.array(
    z.object({
      surrogates: z.array(z.string()),
      target: z.string(),
      n: z.number(),
      accuracy: z.number(),
      fall: estimate,
    }),
  ),
  curve: z.object({
    points: z.array(
      z.object({
        surrogates: z.number(),
        sets: z.number(),
        pictures: z.number(),
        accuracy: estimate,
        gain: estimate.nullable(),
      }),
    ),
    flattensAt: z.number().nullable(),
  }),
  consistency: z.array(z.object({ a: z.string(), b: z.string(), observed: z.number(), kappa: z.number().nullable() })),
  freshSeed: z
    .array(
      z.object({ model: z.string(), prompts: z.number(), ownSeed: estimate, freshSeed: estimate, selection: estimate }),
    )
    .nullable(),
  audit: z.array(
    z.object({
      by: z.enum(['class', 'nuisance']),
      value: z.string(),
      pool: z.number(),
      hard: z.number(),
      share: z.number(),
      ci: interval,
      ratio: z.number(),
      p: z.number(),
      pCorrected: z.number(),
    }),
  ),
  confusions: z.array(
    z.object({
      label: z.string(),
      prediction: z.string(),
      pictures: z.number(),
      models: z.number(),
      share: z.number(),
    }),
  ),
  /** The most certain first; every one is harder than the rest of the pool. */
  modes: z.array(failureModeSchema).default([]),
  /** What modes were not looked for, and what would let them be. */
  modesMissing: z.array(z.string()).default([]),
  /** What every model gets wrong, by kind of nuisance. */
  fails: z.array(z.object({ model: z.string(), nuisance: z.string(), n: z.number(), wrong: z.number() })).default([]),
  /** Some of the chosen pictures, small, for the report: files of the run folder. */
  thumbnails: z
    .array(
      z.object({
        scenario: z.string(),
        sample: z.string(),
        file: z.string().regex(/^mining\/\d+\.webp$/),
        width: z.number().int().positive(),
        height: z.number().int().positive(),
      }),
    )
    .default([]),
  transferModel: z.array(z.object({ term: z.string(), oddsRatio: z.number(), ci: interval, p: z.number() })),
});
export type MiningRecord = z.infer<typeof miningRecordSchema>;

/** `released.json` of a run folder: what `mine --release` wrote last. */
export const releasedSchema = z.object({
  version: z.literal(1),
  time: z.string(),
  folder: z.string(),
  pictures: z.number(),
  /** By the review. */
  leftOut: z.number(),
  byNuisance: z.array(z.object({ nuisance: z.string(), pictures: z.number() })),
  released: z.array(z.object({ scenario: z.string(), sample: z.string() })),
  /** Null: nobody looked. */
  review: z
    .object({
      reviewers: z.array(z.string()),
      rule: z.string(),
      agreement: z.array(z.object({ question: z.string(), alpha: z.number(), ci: interval })),
    })
    .nullable(),
});
export type Released = z.infer<typeof releasedSchema>;
