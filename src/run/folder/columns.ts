import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlName } from './duckdb.ts';

/** A column of words: row `i` holds `levels[codes[i]]`, so a million rows make few strings; or numbers, NaN for null. */
export type ReadColumn = { readonly codes: Uint32Array; readonly levels: string[] } | Float64Array;

/** The result of a query in columns, its rows in the query's order. */
export async function readColumns(connection: DuckDBConnection, query: string): Promise<Record<string, ReadColumn>> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE result AS ${query}`);
  const described = await connection.runAndReadAll('SELECT column_name, column_type FROM (DESCRIBE result)');
  const columns: Record<string, ReadColumn> = {};
  for (const [name, type] of described.getRowsJS() as [string, string][])
    columns[name] = type === 'VARCHAR' ? await readWords(connection, name) : await readNumbers(connection, name);
  await connection.run('DROP TABLE result');
  return columns;
}

async function readWords(connection: DuckDBConnection, name: string): Promise<ReadColumn> {
  const word = `coalesce(${sqlName(name)}, '')`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE levels AS SELECT level, (row_number() OVER (ORDER BY level) - 1)::INTEGER AS code
     FROM (SELECT DISTINCT ${word} AS level FROM result)`,
  );
  const levels = await connection.runAndReadAll('SELECT level FROM levels ORDER BY code');
  const codes = await readStream(
    connection,
    `SELECT levels.code FROM result JOIN levels ON levels.level = ${word} ORDER BY result.rowid`,
  );
  return { codes: Uint32Array.from(codes), levels: levels.getRowsJS().map(([level]) => String(level)) };
}

const readNumbers = (connection: DuckDBConnection, name: string): Promise<Float64Array> =>
  readStream(connection, `SELECT ${sqlName(name)}::DOUBLE FROM result ORDER BY rowid`);

async function readStream(connection: DuckDBConnection, query: string): Promise<Float64Array> {
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
