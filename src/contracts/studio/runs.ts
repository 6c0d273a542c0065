import { z } from 'zod';

export const runStates = ['running', 'finished', 'stopped'] as const;

/** A run as the list shows it. */
export const runSummarySchema = z.object({
  /** Its word in addresses. */
  id: z.string(),
  name: z.string(),
  folder: z.string(),
  state: z.enum(runStates),
  /** Started by this studio, which can stop it. */
  here: z.boolean(),
  started: z.string().nullable(),
  finished: z.string().nullable(),
  /** Answers stored, and those there will be. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  errors: z.number().int(),
  samples: z.number().int(),
  classes: z.number().int(),
  models: z.array(z.string()),
  scenarios: z.array(z.string()),
  data: z.string(),
  /** The last thing that a run started here said. */
  message: z.string().nullable(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** A dataset given by itself or by a run. */
export const datasetSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  layout: z.string().nullable(),
});
export type DatasetSummary = z.infer<typeof datasetSummarySchema>;

export const workspaceSchema = z.object({
  version: z.string(),
  runs: z.array(runSummarySchema),
  datasets: z.array(datasetSummarySchema),
});
export type Workspace = z.infer<typeof workspaceSchema>;
