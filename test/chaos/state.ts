import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromParquet, openDuckDb } from '../../src/run/folder/duckdb.ts';

/** What a command left, each thing by its path: a file's hash, a table's rows, a folder. */
export type State = ReadonlyMap<string, string>;

/** Times of day and durations: all that may differ between two undisturbed calls. */
const times: readonly [pattern: RegExp, instead: string][] = [
  [/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d+Z)?/g, 'TIME'],
  [/"seconds":\s*[\d.e+-]+/g, '"seconds": 0'],
  [/Took[^\d]{1,60}?[\d.\\]+ (?:ms|s|min|h)(?: \d+ (?:s|min))?/g, 'Took TIME'],
];
const holdsTimes = /(\.jsonl?|\.html|\.csv|\.md|\.tex)$/;

/** Everything below the folder. Of a folder of Parquet the rows count, each as often as it is there, not the files. */
export async function stateOf(folder: string, remembers?: RegExp): Promise<State> {
  const state = new Map<string, string>();
  const tables = new Map<string, string[]>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (remembers?.test(path)) continue;
    if (entry.isDirectory()) state.set(`${path}/`, 'a folder');
    else if (path.endsWith('.parquet')) {
      const table = path.slice(0, path.lastIndexOf('/'));
      tables.set(table, [...(tables.get(table) ?? []), join(folder, path)]);
    } else state.set(path, hash(withoutTimes(path, await readFile(join(folder, path)))));
  }
  for (const [table, files] of tables)
    for (const [row, count] of await rowsOf(files)) state.set(`${table}: ${row}`, `${count} ×`);
  return state;
}

function withoutTimes(path: string, bytes: Buffer): Buffer | string {
  if (!holdsTimes.test(path)) return bytes;
  return times.reduce((text, [pattern, instead]) => text.replace(pattern, instead), bytes.toString());
}

const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

async function rowsOf(files: readonly string[]): Promise<Map<string, number>> {
  const database = await openDuckDb({ threads: 1 });
  try {
    const reader = await database.connection.runAndReadAll(`SELECT * FROM ${fromParquet(files)}`);
    const rows = new Map<string, number>();
    for (const row of reader.getRowObjectsJson()) {
      const text = JSON.stringify(row);
      rows.set(text, (rows.get(text) ?? 0) + 1);
    }
    return rows;
  } finally {
    database.close();
  }
}

/** In words, at most so many. */
export function differences(found: State, wanted: State, most = 6): string[] {
  const paths = [...new Set([...found.keys(), ...wanted.keys()])].filter(
    (path) => found.get(path) !== wanted.get(path),
  );
  return paths
    .map((path) => {
      const word = found.has(path) ? (wanted.has(path) ? 'differs' : 'should not be there') : 'is missing';
      return `${path.slice(0, 160)} ${word}`;
    })
    .slice(0, most);
}
