// The studio's one place that knows how a run lies on disk.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { configSchema } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import { sqlText } from '../run/folder/index.ts';

const recordSchema = z.looseObject({
  config: configSchema.optional(),
  seed: z.number().default(0),
  data: z
    .looseObject({
      path: z.string().default(''),
      hash: z.string().optional(),
      samples: z.number().default(0),
      classes: z.array(z.string()).default([]),
    })
    .prefault({}),
  scenarios: z.array(z.string()).default([]),
  models: z
    .array(z.looseObject({ name: z.string(), kind: z.string().default(''), source: z.string().default('') }))
    .default([]),
  units: z.record(z.string(), z.looseObject({ model: z.string(), scenario: z.string() })).default({}),
  started: z.string().optional(),
  finished: z.string().nullish(),
  rows: z.number().optional(),
  errors: z.number().optional(),
});
export type RunRecord = z.infer<typeof recordSchema>;

export const isRun = (folder: string): Promise<boolean> =>
  stat(join(folder, 'run.json')).then(
    (found) => found.isFile(),
    () => false,
  );

export async function readRunRecord(folder: string): Promise<RunRecord> {
  const text = await readFile(join(folder, 'run.json'), 'utf8').catch(() => {
    throw new UserError(`No run.json in ${folder}; expected a run folder, as sceneshift run writes it`);
  });
  const parsed = recordSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${folder}/run.json is not a run's record: ${issue.path.join('.')}: ${issue.message}`);
}

/** The shards of a table; a finished shard never changes under its name. */
export async function listShards(folder: string, table = 'predictions'): Promise<string[]> {
  const names = await readdir(join(folder, table)).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith('.parquet') && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, table, name));
}

/** When the newest shard was written; 0 where there is none. */
export async function lastWritten(folder: string): Promise<number> {
  const found = await stat(join(folder, 'predictions')).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

/** Rows of every shard, from the files' ends alone. */
export async function countShardRows(files: readonly string[]): Promise<number[]> {
  if (!files.length) return [];
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(
      `SELECT file_name, num_rows::INTEGER FROM parquet_file_metadata([${files.map(sqlText).join(', ')}])`,
    );
    const rows = new Map(result.getRowsJS() as [string, number][]);
    return files.map((file) => rows.get(file) ?? 0);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
