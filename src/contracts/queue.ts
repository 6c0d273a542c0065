import { z } from 'zod';

/** A run that workers carry out together: data alone, its paths below the workers' own root, nothing secret. */
export const assignmentSchema = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** The Sceneshift that planned it; workers of another version would give other answers and refuse. */
  sceneshift: z.string(),
  /** The settings, their paths relative to the root. */
  config: z.record(z.string(), z.unknown()),
  /** Of everything that is to be answered, as planned; a worker that sees other data refuses. */
  planHash: z.string(),
  /** The run folder, relative to the root. */
  out: z.string(),
  answers: z.number().int(),
});
export type Assignment = z.infer<typeof assignmentSchema>;

/** A few seconds of work: some samples of the plan, each with the answers still missing. */
export const chunkSchema = z.strictObject({
  assignment: assignmentSchema.shape.id,
  name: z.string().regex(/^[0-9a-f]{32}$/),
  work: z.array(
    z.strictObject({
      sampleIndex: z.number().int().nonnegative(),
      conditions: z.array(z.number().int().nonnegative()),
    }),
  ),
});
export type Chunk = z.infer<typeof chunkSchema>;

/** Written into the run folder when a chunk's rows are on disk: what counts, whatever becomes of the queue. */
export const chunkDoneSchema = z.object({
  name: z.string(),
  worker: z.string(),
  answers: z.number(),
  seconds: z.number(),
  errors: z.array(z.record(z.string(), z.string())),
});
export type ChunkDone = z.infer<typeof chunkDoneSchema>;
