import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { type RunTable, runTables } from '../contracts/run-tables.ts';
import { renameDurably } from './atomic.ts';
import { listShards } from './folder/duckdb.ts';
import {
  inOwnFolder,
  openRunStore,
  readErrorLines,
  readRunRecord,
  writeErrorLines,
  writeRunRecord,
} from './folder/index.ts';
import { hashJson } from './hash.ts';
import { joinFiles } from './join-files.ts';

export interface MergeSummary {
  readonly run: string;
  readonly sources: readonly string[];
  readonly rows: number;
  readonly errors: number;
  /** Shards that were there already: two machines did the same share. */
  readonly known: number;
}

const tables = Object.keys(runTables) as RunTable[];

/**
 * Joins run folders of one dataset, as `--shard` leaves them. A shard's name is the hash of what is in it, so one that two
 * machines made is copied once; rows that stand in shards of different cut are kept once.
 */
export async function mergeRuns(sources: readonly string[], out: string): Promise<MergeSummary> {
  const folders = sources.map((source) => resolve(source));
  // Before anything is made: a folder that is no run has nothing to give.
  await Promise.all(folders.map(readRunRecord));
  return inOwnFolder(resolve(out), () => mergeInto(resolve(out), folders));
}

async function mergeInto(target: string, folders: readonly string[]): Promise<MergeSummary> {
  const records = await Promise.all(folders.map(readRunRecord));
  const before = await readRunRecord(target).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  checkSameData([
    ...(before ? [{ folder: target, record: before }] : []),
    ...records.map((record, i) => ({ folder: folders[i], record })),
  ]);

  let known = 0;
  for (const folder of folders) {
    if (folder === target) continue;
    for (const table of tables) {
      const present = new Set((await listShards(target, table)).map((file) => basename(file)));
      for (const file of await listShards(folder, table)) {
        if (present.has(basename(file))) {
          known++;
          continue;
        }
        await mkdir(join(target, table), { recursive: true });
        const partial = join(target, table, `.${basename(file)}.partial`);
        await copyFile(file, partial);
        await renameDurably(partial, join(target, table, basename(file)));
      }
    }
  }
  for (const folder of folders) if (folder !== target) await joinFiles(folder, target, isNoShared);
  const store = await openRunStore(target);
  let rows = 0;
  try {
    for (const table of tables) {
      await store.removeRepeated(table);
      if (table !== 'published') rows += await store.countRows(table);
    }
  } finally {
    store.close();
  }
  const errors = await mergeErrors([...folders, ...(before ? [target] : [])]);
  await writeErrorLines(target, errors);
  for (const record of records) await writeRunRecord(target, asFields(record));
  const finished = records.map((record) => record.finished);
  await writeRunRecord(target, {
    ...asFields(records[records.length - 1]),
    started: records.map(({ started }) => started ?? '').sort()[0],
    finished: finished.every(Boolean) ? finished.sort().at(-1) : null,
    // Machine time, whoever spent it.
    seconds: records.reduce((sum, { seconds }) => sum + (seconds ?? 0), before?.seconds ?? 0),
    rows,
    errors: errors.length,
    share: undefined,
  });
  return { run: target, sources: folders, rows, errors: errors.length, known };
}

/**
 * Beside the tables only saliency maps, features and attacks are joined: their files are named by hashes of what
 * decided them.
 */
const isNoShared = (path: string) =>
  !/^(saliency|features|attack)\//.test(path) || (path.startsWith('saliency/') && path.endsWith('.parquet'));

const asFields = (record: RunRecord) => ({ ...record, models: record.models, scenarios: record.scenarios });

/** What must be the same for rows to belong together; named where it is not. */
function checkSameData(runs: readonly { folder: string; record: RunRecord }[]): void {
  const [first, ...others] = runs;
  const facts = ({ data, seed, photographs }: RunRecord) => ({
    'pictures, masks or labels': data?.hash,
    classes: data?.classes,
    seed,
    'reading of photographs': photographs,
  });
  for (const { folder, record } of others) {
    const [a, b] = [facts(first.record), facts(record)];
    const other = (Object.keys(a) as (keyof typeof a)[]).find(
      (name) => hashJson(a[name] ?? null) !== hashJson(b[name] ?? null),
    );
    if (other)
      throw new UserError(
        `${folder} and ${first.folder} differ in ${other}: they are runs of different data and cannot be joined`,
      );
    const models = new Map(first.record.models.map(({ name, identity }) => [name, hashJson(identity)]));
    const changed = record.models.find(
      ({ name, identity }) => models.has(name) && models.get(name) !== hashJson(identity),
    );
    if (changed)
      throw new UserError(
        `${folder} and ${first.folder} have different models called ${changed.name}; they cannot be joined`,
      );
  }
}

async function mergeErrors(folders: readonly string[]): Promise<ErrorLine[]> {
  const lines = new Map<string, ErrorLine>();
  for (const folder of folders) for (const line of await readErrorLines(folder)) lines.set(JSON.stringify(line), line);
  return [...lines.values()].sort((a, b) => (a.sample < b.sample ? -1 : a.sample > b.sample ? 1 : 0));
}
