import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { predictionKey } from '../contracts/prediction.ts';
import { type ColumnInput, type Table, tableFrom } from './analyze/table.ts';
import { saliencyJoin } from './saliency-join.ts';

const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The predictions of a run folder as one table; words come as codes, so a million rows make few strings. */
export async function readRun(run: string): Promise<Table> {
  const folder = join(run, 'predictions');
  const names = await readdir(folder).catch(() => [] as string[]);
  const files = names.filter((name) => name.endsWith('.parquet')).sort();
  if (files.length === 0)
    throw new UserError(`No predictions in ${run}; expected a run folder with predictions/*.parquet, or a .csv file`);
  return readParquet(
    files.map((name) => join(folder, name)),
    basename(run),
    { key: predictionKey, further: await saliencyJoin(run) },
  );
}

interface ParquetOptions {
  /** Columns that tell the rows of a run's table apart: of rows that agree in all of them one is kept. */
  readonly key?: readonly string[];
  /** Statements that add columns to the table, which is called `p`. */
  readonly further?: readonly string[];
}

/** Parquet files of one kind as one table. */
export async function readParquet(
  files: readonly string[],
  source: string,
  { key, further = [] }: ParquetOptions = {},
): Promise<Table> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const list = files.map(quoteText).join(', ');
    await connection
      .run(`CREATE TABLE p AS SELECT * FROM read_parquet([${list}], union_by_name = true)`)
      .catch((error: unknown) => {
        throw new UserError(`Cannot read ${source}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      });
    for (const statement of further) await connection.run(statement);
    const described = await connection.runAndReadAll('SELECT column_name, column_type FROM (DESCRIBE p)');
    const columns = described.getRowsJS() as [string, string][];
    await removeRepeated(columns);
    const read: Record<string, ColumnInput> = {};
    for (const [name, type] of columns) {
      if (name === 'unit' || name === 'source') continue;
      read[name] = type === 'VARCHAR' ? await readText(name) : await readNumbers(name);
    }
    return tableFrom(read, source);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }

  // A run killed while it replaced a shard leaves some rows twice until it is resumed.
  async function removeRepeated(columns: [string, string][]) {
    const present = key?.filter((name) => columns.some(([column]) => column === name)).map(quoteName);
    if (!present?.length) return;
    const counted = await connection.runAndReadAll(`SELECT count(*) = count(DISTINCT (${present.join(', ')})) FROM p`);
    if (counted.getRowsJS()[0][0] === true) return;
    await connection.run(
      `CREATE OR REPLACE TABLE p AS SELECT * FROM p QUALIFY row_number() OVER (PARTITION BY ${present.join(', ')}) = 1`,
    );
  }

  async function readText(name: string): Promise<ColumnInput> {
    const distinct = `SELECT DISTINCT coalesce(${quoteName(name)}, '') AS level FROM p ORDER BY level`;
    const levels = (await connection.runAndReadAll(distinct)).getRowsJS().map((row) => String(row[0]));
    await connection.run(
      `CREATE OR REPLACE TABLE levels AS SELECT level, (row_number() OVER (ORDER BY level) - 1)::INTEGER AS code FROM (${distinct})`,
    );
    const codes = await readColumn(
      `SELECT levels.code FROM p JOIN levels ON levels.level = coalesce(p.${quoteName(name)}, '') ORDER BY p.rowid`,
    );
    return { codes: Uint32Array.from(codes), levels };
  }

  async function readNumbers(name: string): Promise<Float64Array> {
    return readColumn(`SELECT ${quoteName(name)}::DOUBLE FROM p ORDER BY rowid`);
  }

  async function readColumn(query: string): Promise<Float64Array> {
    const result = await connection.stream(query);
    const parts: number[][] = [];
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
      parts.push(chunk.getColumnValues(0).map((value) => (value === null ? Number.NaN : Number(value))));
    const values = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      values.set(part, at);
      at += part.length;
    }
    return values;
  }
}
