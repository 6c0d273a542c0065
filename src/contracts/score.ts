import { z } from 'zod';
import { rankSchema } from './rank.ts';
import { scenarioPartSchema } from './scenario-part.ts';
import { alarmSchema, verdictSchema, verdictsSchema } from './verdict.ts';

const interval = z.tuple([z.number(), z.number()]);
const nullableNumber = z.number().nullable();

/** `score --json`; fixed, more fields may be added. Accuracies and drops are fractions. */
export const scenarioScoreSchema = z.looseObject({
  scenario: z.string(),
  part: scenarioPartSchema.optional(),
  n: z.number().int(),
  /** Over all outputs of the model. */
  top1: z.number(),
  /** Over the dataset's own classes; null where the source does not say. */
  top1Own: nullableNumber,
  /** Wilson, with the effective number of images where they come in groups. */
  ci: interval.nullable(),
  top5: nullableNumber.optional(),
  /** Mean probability given to the truth. */
  probabilityTruth: nullableNumber.optional(),
  /** Expected calibration error over 15 equal bins of confidence. */
  calibrationError: nullableNumber.optional(),
  /** original − scenario over the same samples; positive is worse. */
  drop: nullableNumber,
  dropCi: interval.nullable(),
  /** Samples that both have. */
  pairs: z.number().int().optional(),
  /** Right on the original alone, and right on the scenario alone. */
  lost: z.number().int().optional(),
  gained: z.number().int().optional(),
  /** Exact McNemar against `original`. */
  p: nullableNumber,
  /** Holm over the scenarios of one model. */
  pHolm: nullableNumber,
});
export type ScenarioScore = z.infer<typeof scenarioScoreSchema>;

export const classScoreSchema = scenarioScoreSchema.omit({ pHolm: true }).extend({ class: z.string() });
export type ClassScore = z.infer<typeof classScoreSchema>;

export const robustnessSchema = z.looseObject({
  /** The paper's number: 1 − (cross + inner). */
  score: z.number(),
  cross: z.number(),
  inner: nullableNumber,
  /** For the true score, free of the bias of the number above, which may lie outside. */
  ci: interval.nullable(),
  /** Unbiased; may exceed 1 where the drops are small beside their noise. */
  debiased: nullableNumber,
  mu: z.number().optional(),
  scenarios: z.number().int().optional(),
  /** P of "no scenario changes the accuracy". */
  p: nullableNumber.optional(),
  /** Were other classes drawn: the interval with classes as the random sample. */
  classesCi: interval.nullable().optional(),
  /** The definition of the paper's first version: 1 − (variance over classes + variance over scenarios). */
  v1: z
    .looseObject({
      score: z.number(),
      overScenarios: z.number(),
      overClasses: nullableNumber,
      debiased: nullableNumber,
      ci: interval.nullable(),
      /** The same with standard deviations for variances, the letter σ taken literally. */
      withStandardDeviations: z.number(),
    })
    .nullable()
    .optional(),
  /** Share of `cross` that comes from the scenario that adds most. */
  dominant: z.object({ scenario: z.string(), share: z.number() }).nullable().optional(),
  words: z.string().optional(),
});
export type Robustness = z.infer<typeof robustnessSchema>;

export const spreadSchema = z.looseObject({
  of: z.enum(['scenarios', 'classes']),
  n: z.number().int(),
  mean: z.number(),
  sd: z.number(),
  skewness: nullableNumber,
  /** Shapiro–Wilk. */
  normality: z.object({ statistic: nullableNumber, p: nullableNumber }),
  /** Hartigan's dip: small P, more than one mode. */
  modality: z.object({ statistic: z.number(), p: z.number() }).nullable(),
  warning: z.string().nullable(),
});
export type Spread = z.infer<typeof spreadSchema>;

export const modelScoreSchema = z.looseObject({
  model: z.string(),
  scenarios: z.array(scenarioScoreSchema),
  /** Does it lean on the scene? Absent for tables without images. */
  verdict: verdictSchema.optional(),
  alarms: z.array(alarmSchema).optional(),
  robustness: robustnessSchema.nullable(),
  /** Accuracy over the shifts, each counting alike: what models are ranked by. */
  overShifts: z
    .object({ accuracy: z.number(), ci: interval.nullable(), scenarios: z.number().int() })
    .nullable()
    .optional(),
  meanDrop: nullableNumber,
  meanDropCi: interval.nullable().optional(),
  worst: z.object({ scenario: z.string(), drop: z.number(), ci: interval.nullable() }).nullable().optional(),
  /** Mean drop as a share of the accuracy on `original`. */
  relativeDrop: nullableNumber.optional(),
  /** Accuracy over the scenarios beyond what models of this original accuracy reach (Taori et al., 2020). */
  effectiveRobustness: nullableNumber.optional(),
  classes: z.array(classScoreSchema).optional(),
  /** Further heads of the model, by the scenario they were trained on. */
  heads: z.array(z.looseObject({ trained: z.string(), scenarios: z.array(scenarioScoreSchema) })).optional(),
  distribution: z.array(spreadSchema).optional(),
  background: z.looseObject({ verdict: z.string(), words: z.string() }).nullable().optional(),
  measures: z.record(z.string(), z.unknown()).optional(),
});
export type ModelScore = z.infer<typeof modelScoreSchema>;

const segmentationValueSchema = z.object({
  mean: nullableNumber,
  ci: interval.nullable(),
  /** Against `original`, over the same images. */
  drop: nullableNumber,
  dropCi: interval.nullable(),
});
/** A measure over the images of a model, scenario and class: their mean with its interval, and the drop. */
export type SegmentationValue = z.infer<typeof segmentationValueSchema>;

export const segmentationScoreSchema = z.looseObject({
  model: z.string(),
  scenario: z.string(),
  /** `object`, or a class of the model. */
  class: z.string(),
  n: z.number().int(),
  /** From the pixels of all images together, as benchmarks print it. */
  pooledIou: nullableNumber,
  iou: segmentationValueSchema,
  dice: segmentationValueSchema,
  pixelAccuracy: segmentationValueSchema,
  boundaryF: segmentationValueSchema,
  predictedShare: segmentationValueSchema,
});
export type SegmentationScore = z.infer<typeof segmentationScoreSchema>;

const publishedAccuraciesSchema = z.object({
  pictures: z.number().int(),
  /** Answers that name both choices or neither, which the paper leaves out. */
  dropped: z.number().int(),
  top1: nullableNumber,
  /** A hit for every accepted output among the first five: may exceed 1. */
  top5: nullableNumber,
});

/** One model counted as ImageNet-D's own programs count. */
export const asPublishedSchema = z.object({
  model: z.string(),
  scenarios: z.array(publishedAccuraciesSchema.extend({ scenario: z.string() })),
  /** Over the pictures of all scenarios but `original`. */
  overall: publishedAccuraciesSchema,
  drop: nullableNumber,
});
export type AsPublished = z.infer<typeof asPublishedSchema>;

export const scoreSchema = z.looseObject({
  models: z.array(modelScoreSchema),
  /** What robustness, drops and rankings count: the shifts alone, or every scenario but `original`. */
  count: z.enum(['shifts', 'all']).optional(),
  verdict: verdictsSchema.nullable().optional(),
  /** Of all models; where there is one, look at it before any other number. */
  alarms: z.array(alarmSchema).optional(),
  ranking: z
    .looseObject({
      by: z.string(),
      replicates: z.number().int(),
      models: z.array(z.object({ model: z.string(), best: z.number(), ranks: z.array(z.number()) })),
    })
    .nullable()
    .optional(),
  ship: z
    .looseObject({
      margin: z.number(),
      reference: z.string(),
      models: z.array(
        z.object({ model: z.string(), difference: z.number(), upper: z.number(), p: z.number(), ship: z.boolean() }),
      ),
      words: z.string(),
    })
    .nullable()
    .optional(),
  agreement: z.array(z.looseObject({ a: z.string(), b: z.string() })).optional(),
  segmentation: z.array(segmentationScoreSchema).optional(),
  rank: rankSchema.optional(),
  asPublished: z.array(asPublishedSchema).optional(),
  notes: z.array(z.string()).optional(),
});
export type Score = z.infer<typeof scoreSchema>;
