import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { type ErrorLine, errorLineSchema } from '../../contracts/prediction.ts';
import { type RunRecord, runRecordSchema, runRecordVersion } from '../../contracts/run-record.ts';
import { rememberScenarios } from '../../scenarios/registry.ts';
import { withAddresses } from '../../storage/shown.ts';
import { writeAtomic } from '../atomic.ts';

const recordFile = 'run.json';
const errorsFile = 'errors.jsonl';

/** `run.json`. Where it is missing or damaged, an error that says how to have it again. */
export async function readRunRecord(run: string): Promise<RunRecord> {
  const record = await readDocument(run, recordFile, runRecordSchema, {
    remedy: 'the sceneshift run (or train) that made the folder writes it again and keeps the stored answers',
  });
  if (!record) throw new UserError(`No ${recordFile} in ${run}; expected a run folder, as sceneshift run writes it`);
  if (record.version > runRecordVersion)
    throw new UserError(
      `${join(run, recordFile)} has version ${record.version}, and this Sceneshift reads ${runRecordVersion} at most; use a newer Sceneshift`,
    );
  rememberScenarios((record.plugins ?? []).flatMap(({ scenarios = [] }) => scenarios));
  return record;
}

/** The record of an earlier call; undefined where there is none that can be read. */
export const earlierRecord = (run: string): Promise<RunRecord | undefined> =>
  readRunRecord(run).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });

/** Fields of `run.json`; those left out stay as an earlier call wrote them. */
export interface RunRecordFields {
  readonly [field: string]: unknown;
  readonly models: readonly { readonly name: string }[];
  readonly scenarios: readonly string[];
}

/** Writes `run.json`. Models and scenarios of earlier calls stay listed: their rows are still in the folder. */
export async function writeRunRecord(run: string, record: RunRecordFields): Promise<void> {
  const before = await earlierRecord(run);
  const earlier = (before?.models ?? []).filter(({ name }) => !record.models.some((model) => model.name === name));
  const merged = runRecordSchema.parse({
    ...before,
    ...record,
    version: runRecordVersion,
    models: [...earlier, ...record.models],
    scenarios: [...new Set([...(before?.scenarios ?? []), ...record.scenarios])],
  });
  await writeAtomic(run, recordFile, `${JSON.stringify(merged, null, 2)}\n`, { durable: true });
}

/** `errors.jsonl`; none where the file is not there. */
export async function readErrorLines(run: string): Promise<ErrorLine[]> {
  const text = await readFile(join(run, errorsFile), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => errorLineSchema.safeParse(parseJson(line)).data ?? []);
}

export const writeErrorLines = (run: string, lines: readonly ErrorLine[]): Promise<void> =>
  writeAtomic(run, errorsFile, lines.map((line) => `${withAddresses(JSON.stringify(line))}\n`).join(''), {
    durable: true,
  });

/** A JSON file of a run folder; undefined where it is not there, an error that names it where it is damaged. */
export async function readDocument<Schema extends z.ZodType>(
  run: string,
  file: string,
  schema: Schema,
  { remedy }: { remedy: string },
): Promise<z.output<Schema> | undefined> {
  const path = join(run, file);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new UserError(`${path} cannot be read (${error.code})`);
  });
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue.path.join('.');
  const what = text.trim() === '' ? 'empty' : `damaged${where ? ` at ${where}` : ''}`;
  throw new UserError(`${path} is ${what}; ${remedy}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
