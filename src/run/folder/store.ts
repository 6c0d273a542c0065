import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunRow, type RunTable, runTables } from '../../contracts/run-tables.ts';
import { renameDurably } from '../atomic.ts';
import { hashJson } from '../hash.ts';
import { type Database, fromParquet, listShards, openDuckDb, sqlName, sqlText } from './duckdb.ts';
import { fillTable, type StoredValue } from './fill-table.ts';
import { renameFormerColumns } from './former-columns.ts';
import { matchKeys, type StaleKey, type WantedKeys } from './match-keys.ts';
import { columnsOf, type StoredRow, tableNames } from './tables.ts';

/** The rows of a run folder, for writing: found, added and taken away, each step whole or not at all. */
export interface RunStore {
  /** Calls back for every stored (condition, sample, sampleHash); the sample is empty in tables that have none. */
  forEachKey(table: RunTable, visit: (condition: string, sample: string, sampleHash: string) => void): Promise<void>;
  /** Visits the stored rows that hold for what is wanted, by their places in it; returns those that no longer hold. */
  matchKeys(
    table: RunTable,
    wanted: WantedKeys,
    visit: (condition: number, sample: number) => void,
  ): Promise<readonly StaleKey[]>;
  /** Of rows that stand there twice, as a kill while a shard is replaced leaves them, keeps one. */
  removeRepeated(table: RunTable): Promise<void>;
  /** Removes rows that no longer hold: rewrites the shards that have some, leaves the others alone. */
  remove(table: RunTable, stale: readonly StaleKey[]): Promise<void>;
  /** Rows of the same model and scenario that were made under other conditions: another file, seed or setting. */
  countReplaced(table: RunTable, current: readonly CurrentCondition[]): Promise<number>;
  removeReplaced(table: RunTable, current: readonly CurrentCondition[]): Promise<void>;
  /** Removes rows of a model's heads that belong to none of these conditions. */
  removeHeads(table: 'predictions' | 'training', model: string, conditions: readonly string[]): Promise<void>;
  /** Writes one shard. Its name is the hash of its rows' identities. */
  write<Table extends RunTable>(table: Table, rows: readonly StoredRow<RunRow<Table>>[]): Promise<void>;
  countRows(table: RunTable): Promise<number>;
  close(): void;
}

export interface CurrentCondition {
  readonly condition: string;
  readonly model: string;
  readonly scenario: string;
}

/** One thread for DuckDB: the cores belong to the workers. Opening it takes a while and needs no folder. */
export const openStoreDatabase = (): Promise<Database> => openDuckDb({ threads: 1 });

export async function openRunStore(
  run: string,
  { sweep: sweeps = true, database = openStoreDatabase() }: { sweep?: boolean; database?: Promise<Database> } = {},
): Promise<RunStore> {
  const { connection, close } = await database;
  const folderOf = (table: RunTable) => join(run, table);
  // Where several machines write, what looks left over may be another's work in hand.
  if (sweeps) for (const table of tableNames) await sweep(folderOf(table));
  if (sweeps) for (const table of tableNames) await renameFormerColumns(connection, run, table);
  const select = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as string[][];

  const copy = async (table: RunTable, query: string, name: string) => {
    await mkdir(folderOf(table), { recursive: true });
    // Two machines may write the same shard at the same moment.
    const partial = join(folderOf(table), `.${name}.${randomUUID().slice(0, 8)}.partial`);
    await connection.run(`COPY (${query}) TO ${sqlText(partial)} (FORMAT parquet, COMPRESSION zstd)`);
    await renameDurably(partial, join(folderOf(table), `${name}.parquet`));
  };

  // A kill between the new shard and the removal of the old leaves rows twice; the next call finds and removes them.
  const replace = async (table: RunTable, file: string, kept: string) => {
    const keys = await select(`SELECT ${identityOf(table)} FROM (${kept}) ORDER BY ALL`);
    const name = hashJson([table, keys]);
    if (keys.length) await copy(table, kept, name);
    if (file !== join(folderOf(table), `${name}.parquet`)) await rm(file);
  };
  const keepOnly = async (table: RunTable, where: string) => {
    const files = await listShards(run, table);
    if (!files.length) return;
    const touched = await select(
      `SELECT DISTINCT filename FROM ${fromParquet(files, ', filename = true')} AS r WHERE NOT (${where})`,
    );
    for (const [file] of touched)
      await replace(table, file, `SELECT * FROM ${fromParquet([file])} AS r WHERE ${where}`);
  };
  const fillCurrent = (current: readonly CurrentCondition[]) =>
    fillTable(
      connection,
      'current',
      textColumns('condition', 'model', 'scenario'),
      current.map(({ condition, model, scenario }) => [condition, model, scenario]),
    );

  return {
    async forEachKey(table, visit) {
      const files = await listShards(run, table);
      if (!files.length) return;
      const result = await connection.stream(`SELECT ${identityOf(table)} FROM ${fromParquet(files)}`);
      for await (const rows of result.yieldRowsJs()) {
        for (const [condition, sample, sampleHash] of rows)
          visit(String(condition), String(sample), String(sampleHash));
      }
    },

    async matchKeys(table, wanted, visit) {
      const files = await listShards(run, table);
      return files.length ? matchKeys(connection, fromParquet(files), wanted, visit) : [];
    },

    async removeRepeated(table) {
      const files = await listShards(run, table);
      if (files.length < 2) return;
      const key = ['condition', ...runTables[table].key].map(sqlName).join(', ');
      const isOnce = async (columns: string) =>
        `${(await select(`SELECT count(*) = count(DISTINCT hash(${columns})) FROM ${fromParquet(files)}`))[0][0]}` ===
        'true';
      // Where two columns tell all rows apart, the others need not be read.
      if ((hasSample(table) && (await isOnce('condition, sample'))) || (await isOnce(key))) return;
      const stored = fromParquet(files, ', filename = true, file_row_number = true');
      const numbered = `SELECT *, row_number() OVER (PARTITION BY ${key} ORDER BY filename, file_row_number) AS place FROM ${stored}`;
      await connection.run(`CREATE OR REPLACE TEMP TABLE numbered AS ${numbered}`);
      for (const [file] of await select('SELECT DISTINCT filename FROM numbered WHERE place > 1'))
        await replace(
          table,
          file,
          `SELECT * EXCLUDE (filename, file_row_number, place) FROM numbered WHERE filename = ${sqlText(file)} AND place = 1`,
        );
      await connection.run('DROP TABLE numbered');
    },

    async remove(table, stale) {
      if (!stale.length) return;
      await fillTable(
        connection,
        'stale',
        textColumns('condition', 'sample'),
        stale.map(({ condition, sample }) => [condition, sample]),
      );
      await keepOnly(
        table,
        'NOT EXISTS (SELECT 1 FROM stale WHERE stale.condition = r.condition AND stale.sample = r.sample)',
      );
    },

    async countReplaced(table, current) {
      const files = await listShards(run, table);
      if (!files.length) return 0;
      await fillCurrent(current);
      const columns = ['condition', 'model', 'scenario', ...(table === 'predictions' ? ['trained'] : [])];
      const [[count]] = await select(
        `SELECT coalesce(sum(count), 0)::INTEGER FROM (
          SELECT ${columns.join(', ')}, count(*) AS count FROM ${fromParquet(files)} GROUP BY ALL
        ) AS r WHERE NOT (${isCurrent(table)})`,
      );
      return Number(count);
    },

    async removeReplaced(table, current) {
      await fillCurrent(current);
      await keepOnly(table, isCurrent(table));
    },

    async removeHeads(table, model, conditions) {
      await fillTable(
        connection,
        'kept',
        textColumns('condition'),
        conditions.map((condition) => [condition]),
      );
      await keepOnly(
        table,
        `r.model <> ${sqlText(model)} OR r.trained = '' OR EXISTS (SELECT 1 FROM kept WHERE kept.condition = r.condition)`,
      );
    },

    write: inTurn(async (table, rows) => {
      if (!rows.length) return;
      const columns = columnsOf(table);
      const cells = (row: Record<string, StoredValue>) => columns.map(([name]) => row[name]);
      await fillTable(
        connection,
        'shard',
        columns,
        (rows as readonly StoredRow<Record<string, StoredValue>>[]).map(cells),
      );
      const keys = await select(`SELECT ${identityOf(table)} FROM shard ORDER BY ALL`);
      await copy(table, 'SELECT * FROM shard', hashJson([table, keys]));
      await connection.run('DROP TABLE shard');
    }),

    async countRows(table) {
      const files = await listShards(run, table);
      return files.length ? Number((await select(`SELECT count(*)::INTEGER FROM ${fromParquet(files)}`))[0][0]) : 0;
    },

    close,
  };
}

/** Several may call it at once; each call has the connection's temporary table to itself. */
function inTurn(write: RunStore['write']): RunStore['write'] {
  let before: Promise<unknown> = Promise.resolve();
  return (table, rows) => {
    const mine = before.then(() => write(table, rows));
    before = mine.catch(() => undefined);
    return mine;
  };
}

const textColumns = (...names: string[]) => names.map((name) => [name, 'VARCHAR'] as const);

/** Rows made under one of the conditions asked for now, or of a model, scenario or head that is not asked for now. */
const isCurrent = (table: RunTable) =>
  `NOT EXISTS (SELECT 1 FROM current AS c WHERE c.model = r.model AND c.scenario = r.scenario)${table === 'predictions' ? " OR r.trained <> ''" : ''}
   OR EXISTS (SELECT 1 FROM current AS c WHERE c.condition = r.condition)`;

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    if (name.endsWith('.partial')) await rm(join(folder, name), { force: true });
  }
}

const hasSample = (table: RunTable) => 'sample' in runTables[table].row.shape;
const identityOf = (table: RunTable) =>
  hasSample(table) ? 'condition, sample, sampleHash' : "condition, '' AS sample, sampleHash";
