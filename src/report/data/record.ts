import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { type ErrorLine, errorLineSchema } from '../../contracts/prediction.ts';

const recordSchema = z.looseObject({
  sceneshift: z.string().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  seed: z.number().optional(),
  data: z
    .looseObject({
      path: z.string(),
      layout: z.string().optional(),
      hash: z.string().optional(),
      samples: z.number().optional(),
      classes: z.array(z.string()).optional(),
    })
    .optional(),
  photographs: z.record(z.string(), z.unknown()).optional(),
  decodeDifferences: z.object({ images: z.number(), reasons: z.record(z.string(), z.number()) }).optional(),
  scenarios: z.array(z.string()).default([]),
  models: z
    .array(
      z.looseObject({
        name: z.string(),
        kind: z.string().optional(),
        source: z.string().optional(),
        identity: z.record(z.string(), z.unknown()).default({}),
        parameters: z.number().nullish(),
        preprocessing: z.record(z.string(), z.unknown()).nullish(),
        labelsFrom: z.string().nullish(),
        warnings: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  versions: z.record(z.string(), z.unknown()).default({}),
  processor: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  threads: z.number().nullish(),
  started: z.string().nullish(),
  finished: z.string().nullish(),
  seconds: z.number().nullish(),
  rows: z.number().nullish(),
});
export type RunRecord = z.infer<typeof recordSchema>;

/** `run.json`, as far as the report reads it. */
export async function readRecord(run: string): Promise<RunRecord> {
  const text = await readFile(join(run, 'run.json'), 'utf8').catch(() => {
    throw new UserError(`No run.json in ${run}; expected a run folder, as sceneshift run writes it`);
  });
  const parsed = recordSchema.safeParse(safeJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`run.json of ${run} cannot be read: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

/** `errors.jsonl`; none where the file is not there. */
export async function readErrors(run: string): Promise<ErrorLine[]> {
  const text = await readFile(join(run, 'errors.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const parsed = errorLineSchema.safeParse(safeJson(line));
      return parsed.success ? [parsed.data] : [];
    });
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
