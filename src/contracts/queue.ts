import { z } from 'zod';

/** Commands whose work is made of samples, so that workers can share it. */
export const sharedCommands = ['run', 'render', 'train', 'explain', 'generate', 'mine'] as const;
export type SharedCommand = (typeof sharedCommands)[number];

/** A part of the samples, the same whoever works it out: every `of`-th, from the `index`-th on, or those at certain places. */
export const shareSchema = z
  .strictObject({
    index: z.number().int().positive(),
    of: z.number().int().positive().max(100_000),
    /** Where only some of the samples are wanted. */
    places: z.array(z.number().int().nonnegative()).optional(),
  })
  .refine(({ index, of }) => index <= of);
export type Share = z.infer<typeof shareSchema>;

/** Whether a sample, by its place, is in the share. */
export const isInShare = (place: number, share: Share | undefined): boolean =>
  !share || (share.places ? share.places.includes(place) : place % share.of === share.index - 1);

/** A run that workers carry out together: data alone, its paths below the workers' own root, nothing secret. */
export const assignmentSchema = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  command: z.enum(sharedCommands),
  /** The Sceneshift that planned it; workers of another version would give other answers and refuse. */
  sceneshift: z.string(),
  /** The settings, their paths relative to the root. */
  config: z.record(z.string(), z.unknown()),
  /** What the command was told beside the settings, checked by the command; paths relative to the root. */
  choices: z.record(z.string(), z.unknown()).optional(),
  /** Of everything that is to be answered by a run, as planned; a worker that sees other data refuses. */
  planHash: z.string().optional(),
  /** The run folder, relative to the root. */
  out: z.string(),
});
export type Assignment = z.infer<typeof assignmentSchema>;

/** A few seconds of work: of a run, some samples of the plan, each with the answers still missing; else a share. */
export const chunkSchema = z
  .strictObject({
    assignment: assignmentSchema.shape.id,
    name: z.string().regex(/^[0-9a-f]{32}$/),
    work: z
      .array(
        z.strictObject({
          sampleIndex: z.number().int().nonnegative(),
          conditions: z.array(z.number().int().nonnegative()),
        }),
      )
      .optional(),
    /** Where workers hold a run's models in groups: the places of those that this chunk asks. */
    models: z.array(z.number().int().nonnegative()).min(1).optional(),
    share: shareSchema.optional(),
  })
  .refine(({ work, share }) => (work === undefined) !== (share === undefined), 'either work or a share');
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
