import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { UserError } from '../../contracts/errors.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import type { RunRecord } from '../../contracts/run-record.ts';
import { type RunRow, type RunTable, runTables } from '../../contracts/run-tables.ts';
import { type ReadColumn, readColumns } from './columns.ts';
import { type Database, fromParquet, listShards, openDuckDb, sqlName, sqlText } from './duckdb.ts';
import { earlierRecord, readErrorLines, readRunRecord } from './record.ts';
import { columnsOf, formerIdentityColumns, identityColumns, tableNames } from './tables.ts';

type SqlValue = string | number | boolean | null;
/** By place (`$1`, `?`) or by name (`$model`). */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/**
 * A run folder, for reading. In SQL its tables are called `predictions`, `published`, `segmentation`, `saliency` and `training` and have
 * the columns of their contracts; a table that the run lacks is empty. Every row is there once.
 */
export interface RunFolder {
  /** Absolute. */
  readonly path: string;
  /** Tables that have rows. */
  readonly tables: ReadonlySet<RunTable>;
  /** `run.json`. */
  record(): Promise<RunRecord>;
  /** `errors.jsonl`. */
  errors(): Promise<ErrorLine[]>;
  /**
   * The rows of a query, as objects.
   *
   * @example folder.query<{ sample: string }>('SELECT sample FROM predictions WHERE model = $model', { model: 'a' })
   */
  query<Row = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]>;
  /** The rows of a table, in the order of its key. */
  rows<Table extends RunTable>(table: Table): Promise<RunRow<Table>[]>;
  /** The result of a query in columns: fast for many rows. */
  columns(sql: string): Promise<Record<string, ReadColumn>>;
  close(): void;
}

export async function openRunFolder(path: string, { threads }: { threads?: number } = {}): Promise<RunFolder> {
  const run = resolve(path);
  if (!(await stat(run).catch(() => undefined))?.isDirectory())
    throw new UserError(`There is no run folder ${path}; expected one as sceneshift run writes it`);
  // Whatever is computed of its rows must know what its scenarios are for.
  await earlierRecord(run);
  const shards = new Map<RunTable, string[]>();
  for (const table of tableNames) shards.set(table, await listShards(run, table));
  let database: Promise<Database> | undefined;
  const connect = async (): Promise<DuckDBConnection> => {
    database ??= openDuckDb({ threads }).then(async (opened) => {
      for (const [table, files] of shards) await defineTable(opened.connection, table, files, run);
      return opened;
    });
    return (await database).connection;
  };
  /** Where a shard was deleted while it was read, or is damaged, the error says so, whatever message the query itself failed with. */
  const whileThere = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch(async (error: unknown) => {
      const left = await Promise.all([...shards.values()].flat().map((file) => stat(file).catch(() => undefined)));
      if (left.every(Boolean))
        throw (isOfQuery(error) ? undefined : await damageOf([...shards.values()].flat())) ?? error;
      throw new UserError(`${run} was deleted, moved or rewritten while it was read; do it again when it is at rest`, {
        exitCode: 1,
      });
    });
  const ask = async <Row>(sql: string, values?: SqlValues): Promise<Row[]> => {
    const reader = await (await connect()).runAndReadAll(sql, values as SqlValue[]);
    return reader.getRowObjectsJS().map(plainNumbers) as Row[];
  };
  const query = <Row>(sql: string, values?: SqlValues) => whileThere(ask<Row>(sql, values));
  return {
    path: run,
    tables: new Set(tableNames.filter((table) => shards.get(table)?.length)),
    record: () => readRunRecord(run),
    errors: () => readErrorLines(run),
    query,
    rows: (table) => query(`SELECT * FROM ${table} ORDER BY ${runTables[table].key.map(sqlName).join(', ')}`),
    columns: (sql) => whileThere(connect().then((connection) => readColumns(connection, sql))),
    close() {
      void database?.then(
        (opened) => opened.close(),
        () => undefined,
      );
      database = undefined;
    },
  };
}

/** A slip in the SQL is told without reading every file. */
const isOfQuery = (error: unknown) => /^(Parser|Binder|Catalog) Error/.test((error as Error).message);

/** Opening reads no more than the columns of the key: what is wrong with the others shows only in a query. */
async function damageOf(files: readonly string[]): Promise<UserError | undefined> {
  for (const file of files) {
    // Anew each time: a fatal error leaves a connection that answers nothing any more.
    const { connection, close } = await openDuckDb();
    try {
      await connection.run(`SELECT max(hash(COLUMNS(*))) FROM ${fromParquet([file])}`);
    } catch (error) {
      const hint = 'the file is damaged; without it, the same run computes its rows again';
      return new UserError(`Cannot read ${file}: ${(error as Error).message.split('\n')[0]}; ${hint}`, { exitCode: 1 });
    } finally {
      close();
    }
  }
  return undefined;
}

/** Opens a run folder for as long as `use` takes. */
export async function withRunFolder<Result>(
  path: string,
  use: (folder: RunFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await openRunFolder(path);
  try {
    return await use(folder);
  } finally {
    folder.close();
  }
}

async function defineTable(
  connection: DuckDBConnection,
  table: RunTable,
  files: readonly string[],
  run: string,
): Promise<void> {
  if (!files.length) {
    const columns = columnsOf(table).filter(([name]) => !isIdentity(name));
    await connection.run(`CREATE TEMP TABLE ${table} (${columns.map(([name, type]) => `${sqlName(name)} ${type}`)})`);
    return;
  }
  const stored = fromParquet(files);
  const read = (sql: string) =>
    connection.runAndReadAll(sql).then(
      (reader) => reader.getRowsJS(),
      (error: Error) => {
        throw new UserError(`Cannot read ${table} of ${run}: ${error.message.split('\n')[0]}`);
      },
    );
  // Tables written by other programs may lack a column of the key.
  const present = new Set((await read(`DESCRIBE SELECT * FROM ${stored}`)).map(([name]) => name));
  const key = runTables[table].key
    .filter((name) => present.has(name))
    .map(sqlName)
    .join(', ');
  // A kill while a shard was replaced leaves some rows twice until the run goes on.
  const [[isOnce]] = await read(`SELECT count(*) = count(DISTINCT (${key})) FROM ${stored}`);
  const rows = `SELECT COLUMNS(c -> c NOT IN (${hiddenColumns.map(sqlText)})) FROM ${stored}`;
  if (isOnce === true) await connection.run(`CREATE TEMP VIEW ${table} AS ${rows}`);
  else
    await connection.run(`CREATE TEMP TABLE ${table} AS ${rows} QUALIFY row_number() OVER (PARTITION BY ${key}) = 1`);
}

const hiddenColumns: readonly string[] = [...identityColumns, ...formerIdentityColumns];
const isIdentity = (name: string) => hiddenColumns.includes(name);

function plainNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
  return row;
}

/** Parquet files of any table in columns, as `RunFolder.columns` gives them. */
export async function readParquetColumns(files: readonly string[]): Promise<Record<string, ReadColumn>> {
  const { connection, close } = await openDuckDb();
  try {
    const columns = await readColumns(connection, `SELECT * FROM ${fromParquet(files)}`);
    return Object.fromEntries(Object.entries(columns).filter(([name]) => !isIdentity(name)));
  } catch (error) {
    throw new UserError(`Cannot read ${files.join(', ')}: ${(error as Error).message.split('\n')[0]}`);
  } finally {
    close();
  }
}
