import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { hashJson } from './hash.ts';

type ColumnType = 'VARCHAR' | 'DOUBLE' | 'INTEGER' | 'BIGINT' | 'BOOLEAN';
/** Null: not known. */
type Cell = string | number | boolean | null;

/** `unit`: what was asked (model, scenario and all that decides its answer); `source`: hash of the sample it was asked about. */
const identityColumns = { unit: 'VARCHAR', source: 'VARCHAR' } as const;

/** Tables of a run folder and their columns; each is a folder of Parquet shards. */
export const storeTables = {
  predictions: {
    model: 'VARCHAR',
    trained: 'VARCHAR',
    scenario: 'VARCHAR',
    sample: 'VARCHAR',
    group: 'VARCHAR',
    label: 'VARCHAR',
    fold: 'INTEGER',
    prediction: 'VARCHAR',
    probability: 'DOUBLE',
    probabilityTruth: 'DOUBLE',
    rankTruth: 'INTEGER',
    correct: 'BOOLEAN',
    correctOwn: 'BOOLEAN',
    ...identityColumns,
  },
  segmentation: {
    model: 'VARCHAR',
    scenario: 'VARCHAR',
    sample: 'VARCHAR',
    group: 'VARCHAR',
    label: 'VARCHAR',
    class: 'VARCHAR',
    intersection: 'BIGINT',
    union: 'BIGINT',
    predicted: 'BIGINT',
    truth: 'BIGINT',
    correctPixels: 'BIGINT',
    pixels: 'BIGINT',
    boundaryPredicted: 'BIGINT',
    boundaryTruth: 'BIGINT',
    boundaryPredictedMatched: 'BIGINT',
    boundaryTruthMatched: 'BIGINT',
    ...identityColumns,
  },
  saliency: {
    model: 'VARCHAR',
    scenario: 'VARCHAR',
    sample: 'VARCHAR',
    group: 'VARCHAR',
    label: 'VARCHAR',
    method: 'VARCHAR',
    layer: 'VARCHAR',
    explained: 'VARCHAR',
    class: 'VARCHAR',
    score: 'DOUBLE',
    correct: 'BOOLEAN',
    areaShare: 'DOUBLE',
    shareOnObject: 'DOUBLE',
    energyRatio: 'DOUBLE',
    reliance: 'DOUBLE',
    pointing: 'DOUBLE',
    iou: 'DOUBLE',
    deletion: 'DOUBLE',
    insertion: 'DOUBLE',
    negativeShare: 'DOUBLE',
    objectShown: 'DOUBLE',
    evaluations: 'INTEGER',
    reliability: 'DOUBLE',
    ...identityColumns,
  },
  training: {
    model: 'VARCHAR',
    trained: 'VARCHAR',
    fold: 'INTEGER',
    part: 'VARCHAR',
    step: 'INTEGER',
    strength: 'DOUBLE',
    lossTrain: 'DOUBLE',
    accuracyTrain: 'DOUBLE',
    lossValidation: 'DOUBLE',
    accuracyValidation: 'DOUBLE',
    chosen: 'BOOLEAN',
    ...identityColumns,
  },
} as const satisfies Record<string, Record<string, ColumnType>>;
export type StoreTable = keyof typeof storeTables;
export type StoredRow<Row> = Row & { readonly unit: string; readonly source: string };

export interface Store {
  /** Calls back for every stored (unit, sample, source); the sample is empty in tables that have none. */
  forEachKey(table: StoreTable, visit: (unit: string, sample: string, source: string) => void): Promise<void>;
  /** Removes rows that no longer hold: rewrites the shards that have some, leaves the others alone. */
  remove(table: StoreTable, stale: readonly { unit: string; sample: string }[]): Promise<void>;
  /** Removes rows of the same model and scenario that were made under other conditions: another file, seed or setting. */
  removeReplaced(
    table: StoreTable,
    current: readonly { unit: string; model: string; scenario: string }[],
  ): Promise<void>;
  /** Removes rows of a model's heads that belong to none of these units. */
  removeHeads(table: 'predictions' | 'training', model: string, units: readonly string[]): Promise<void>;
  /** Writes one shard, whole or not at all. Its name is the hash of its rows' identities. */
  write(table: StoreTable, rows: readonly StoredRow<Record<string, Cell>>[]): Promise<void>;
  countRows(table: StoreTable): Promise<number>;
  close(): void;
}

/** The Parquet shards of a run folder. DuckDB runs in memory with one thread: the cores belong to the workers. */
export async function openStore(run: string): Promise<Store> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const folderOf = (table: StoreTable) => join(run, table);
  for (const table of Object.keys(storeTables) as StoreTable[]) await sweep(folderOf(table));

  const shards = async (table: StoreTable) => {
    const names = await readdir(folderOf(table)).catch(() => [] as string[]);
    return names
      .filter((name) => name.endsWith('.parquet'))
      .sort()
      .map((name) => join(folderOf(table), name));
  };

  const copy = async (table: StoreTable, query: string, name: string) => {
    await mkdir(folderOf(table), { recursive: true });
    const partial = join(folderOf(table), `.${name}.partial`);
    await connection.run(`COPY (${query}) TO ${quote(partial)} (FORMAT parquet, COMPRESSION zstd)`);
    await rename(partial, join(folderOf(table), `${name}.parquet`));
  };

  const fillTable = async (name: string, columns: string[], rows: string[][]) => {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${name} (${columns.map((column) => `${column} VARCHAR`).join(', ')})`,
    );
    const appender = await connection.createAppender(name);
    for (const row of rows) {
      for (const cell of row) appender.appendVarchar(cell);
      appender.endRow();
    }
    appender.closeSync();
  };

  // A kill between the new shard and the removal of the old leaves rows twice; the next call finds and removes them.
  const keepOnly = async (table: StoreTable, condition: string) => {
    const files = await shards(table);
    if (!files.length) return;
    const touched = `SELECT DISTINCT filename FROM read_parquet(${list(files)}, filename = true) AS r WHERE NOT (${condition})`;
    for (const [file] of (await connection.runAndReadAll(touched)).getRowsJson() as string[][]) {
      const kept = `SELECT * FROM read_parquet(${quote(file)}) AS r WHERE ${condition}`;
      const keys = (
        await connection.runAndReadAll(`SELECT ${keysOf(table)} FROM (${kept}) ORDER BY ALL`)
      ).getRowsJson();
      if (keys.length) await copy(table, kept, hashJson([table, keys]));
      await rm(file);
    }
  };

  return {
    async forEachKey(table, visit) {
      const files = await shards(table);
      if (!files.length) return;
      const result = await connection.stream(`SELECT ${keysOf(table)} FROM read_parquet(${list(files)})`);
      for await (const rows of result.yieldRowsJs()) {
        for (const [unit, sample, source] of rows) visit(String(unit), String(sample), String(source));
      }
    },

    async remove(table, stale) {
      if (!stale.length) return;
      await fillTable(
        'stale',
        ['unit', 'sample'],
        stale.map(({ unit, sample }) => [unit, sample]),
      );
      await keepOnly(table, 'NOT EXISTS (SELECT 1 FROM stale WHERE stale.unit = r.unit AND stale.sample = r.sample)');
    },

    async removeReplaced(table, current) {
      await fillTable(
        'current',
        ['unit', 'model', 'scenario'],
        current.map(({ unit, model, scenario }) => [unit, model, scenario]),
      );
      await keepOnly(
        table,
        `NOT EXISTS (SELECT 1 FROM current AS c WHERE c.model = r.model AND c.scenario = r.scenario)${table === 'predictions' ? " OR r.trained <> ''" : ''}
         OR EXISTS (SELECT 1 FROM current AS c WHERE c.unit = r.unit)`,
      );
    },

    async removeHeads(table, model, units) {
      await fillTable(
        'kept',
        ['unit'],
        units.map((unit) => [unit]),
      );
      await keepOnly(
        table,
        `r.model <> ${quote(model)} OR r.trained = '' OR EXISTS (SELECT 1 FROM kept WHERE kept.unit = r.unit)`,
      );
    },

    async write(table, rows) {
      if (!rows.length) return;
      const columns = Object.entries(storeTables[table]) as [string, ColumnType][];
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE shard (${columns.map(([name, type]) => `"${name}" ${type}`).join(', ')})`,
      );
      const appender = await connection.createAppender('shard');
      for (const row of rows) {
        for (const [name, type] of columns) append(appender, type, row[name]);
        appender.endRow();
      }
      appender.closeSync();
      const keys = rows.map(({ unit, sample = '', source }) => [unit, sample, source].join(' ')).sort();
      await copy(table, 'SELECT * FROM shard', hashJson([table, keys]));
      await connection.run('DROP TABLE shard');
    },

    countRows: async (table) => countRows(connection, await shards(table)),

    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function countRows(connection: DuckDBConnection, files: string[]): Promise<number> {
  if (!files.length) return 0;
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM read_parquet(${list(files)})`);
  return reader.getRows()[0][0] as number;
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    if (name.endsWith('.partial')) await rm(join(folder, name), { force: true });
  }
}

function append(appender: DuckDBAppender, type: ColumnType, value: Cell): void {
  if (value === null) appender.appendNull();
  else if (type === 'VARCHAR') appender.appendVarchar(value as string);
  else if (type === 'DOUBLE') appender.appendDouble(value as number);
  else if (type === 'INTEGER') appender.appendInteger(value as number);
  else if (type === 'BIGINT') appender.appendBigInt(BigInt(value as number));
  else appender.appendBoolean(value as boolean);
}

const keysOf = (table: StoreTable) =>
  'sample' in storeTables[table] ? 'unit, sample, source' : "unit, '' AS sample, source";

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const list = (files: string[]) => `[${files.map(quote).join(', ')}]`;
