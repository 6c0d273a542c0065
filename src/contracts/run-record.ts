import { z } from 'zod';
import { scenarioPartSchema } from './scenario-part.ts';

/** Goes up where a reader of the last version would misread a run folder. */
export const runRecordVersion = 1;

const modelSchema = z.looseObject({
  name: z.string(),
  kind: z.string().optional(),
  /** The file, folder, address or program. */
  source: z.string().optional(),
  /** Everything that decides its numbers: hashes, preprocessing, settings. */
  identity: z.record(z.string(), z.unknown()).default({}),
  parameters: z.number().nullish(),
  preprocessing: z.record(z.string(), z.unknown()).nullish(),
  labelsFrom: z.string().nullish(),
  /** Outputs that belong to the dataset's classes, and their names. */
  ownOutputs: z.array(z.number().int()).optional(),
  ownNames: z.array(z.string()).optional(),
  warnings: z.array(z.string()).default([]),
  /** Photographs of this run that the model is known to have been trained on. */
  trainedOnThese: z.number().int().optional(),
});

/** `run.json`: all that decided the numbers of a run folder. What newer versions add is kept. */
export const runRecordSchema = z.looseObject({
  version: z.number().int().default(runRecordVersion),
  /** The Sceneshift that wrote it. */
  sceneshift: z.string().optional(),
  /** The settings as the user gave them. */
  config: z.record(z.string(), z.unknown()).optional(),
  seed: z.number().optional(),
  data: z
    .looseObject({
      path: z.string(),
      layout: z.string().optional(),
      /** Of the images, masks and labels together. */
      hash: z.string().optional(),
      samples: z.number().optional(),
      classes: z.array(z.string()).optional(),
    })
    .optional(),
  photographs: z.record(z.string(), z.unknown()).optional(),
  decodeDifferences: z.object({ images: z.number(), reasons: z.record(z.string(), z.number()) }).optional(),
  /** Masks whose shape is a reason to look at them first, the worst named; of so many looked at. */
  doubtfulMasks: z
    .object({
      looked: z.number(),
      masks: z.number(),
      worst: z.array(z.object({ sample: z.string(), doubts: z.array(z.string()) })),
    })
    .optional(),
  /** Scenarios and models of all calls whose rows are in the folder. */
  scenarios: z.array(z.string()).default([]),
  models: z.array(modelSchema).default([]),
  /** What painted backgrounds, and the model they were searched against, where any were. */
  painting: z
    .looseObject({
      model: z.string(),
      hash: z.string(),
      settings: z.record(z.string(), z.unknown()).default({}),
      surrogate: z.looseObject({ name: z.string(), queries: z.number() }).nullish(),
    })
    .nullish(),
  /** Modules from outside that took part. */
  plugins: z
    .array(
      z.looseObject({
        file: z.string(),
        hash: z.string(),
        /** So that scores know what they are for without the plugin. */
        scenarios: z
          .array(z.looseObject({ id: z.string(), part: scenarioPartSchema, contrived: z.boolean().optional() }))
          .optional(),
      }),
    )
    .optional(),
  training: z.looseObject({}).optional(),
  versions: z.record(z.string(), z.unknown()).default({}),
  processor: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  threads: z.number().nullish(),
  started: z.string().nullish(),
  /** Null: interrupted. */
  finished: z.string().nullish(),
  seconds: z.number().nullish(),
  rows: z.number().nullish(),
  errors: z.number().nullish(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
