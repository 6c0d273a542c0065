import type { z } from 'zod';
import { predictionKey, predictionRowSchema } from './prediction.ts';
import { publishedKey, publishedRowSchema } from './published.ts';
import { saliencyKey, saliencyRowSchema } from './saliency.ts';
import { segmentationKey, segmentationRowSchema } from './segmentation.ts';
import { trainingKey, trainingRowSchema } from './training.ts';

/**
 * The tables of a run folder, each a folder of Parquet shards: what a row holds, and what tells two rows apart. They are
 * written in this order: what stands beside a prediction is there before it, since a stored prediction is not asked again.
 */
export const runTables = {
  published: { row: publishedRowSchema, key: publishedKey },
  predictions: { row: predictionRowSchema, key: predictionKey },
  segmentation: { row: segmentationRowSchema, key: segmentationKey },
  saliency: { row: saliencyRowSchema, key: saliencyKey },
  training: { row: trainingRowSchema, key: trainingKey },
} as const satisfies Record<string, { row: z.ZodObject; key: readonly string[] }>;

export type RunTable = keyof typeof runTables;
export type RunRow<Table extends RunTable> = z.infer<(typeof runTables)[Table]['row']>;
