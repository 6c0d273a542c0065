import { type RunRow, type RunTable, runTables } from '../../contracts/run-tables.ts';
import type { RunStore } from './store.ts';
import type { StoredRow } from './tables.ts';

export type RowsByTable = { readonly [Table in RunTable]?: readonly StoredRow<RunRow<Table>>[] };

export interface ShardWriter {
  /** Rows to keep; they reach the disk with the next shard. */
  add(rows: RowsByTable): void;
  /** Writes what is left. Throws what an earlier write has met. */
  finish(): Promise<void>;
}

/**
 * A shard is written once it has this many rows, or after this many seconds with fewer: a kill costs no more work than
 * that.
 */
const shardRows = 1024;
const shardSeconds = 15;

/** Gathers rows into shards and writes them one after the other, while the work goes on. */
export function createShardWriter(
  store: Pick<RunStore, 'write'>,
  { rows: most = shardRows, seconds = shardSeconds }: { rows?: number; seconds?: number } = {},
): ShardWriter {
  let waiting: { -readonly [Table in RunTable]?: StoredRow<RunRow<Table>>[] } = {};
  let count = 0;
  const words = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  let writing = Promise.resolve();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const tables = waiting;
    waiting = {};
    count = 0;
    words.clear();
    writing = writing.then(async () => {
      if (failure !== undefined) return;
      try {
        for (const table of Object.keys(runTables) as RunTable[])
          if (tables[table]) await store.write(table, tables[table] as never);
      } catch (error) {
        failure = error;
      }
    });
  };
  return {
    add(tables) {
      if (failure !== undefined) throw failure;
      for (const table of Object.keys(tables) as RunTable[]) {
        const rows = (tables[table] ?? []) as readonly never[];
        if (!rows.length) continue;
        waiting[table] ??= [];
        for (const row of rows) {
          shareWords(row, words);
          waiting[table].push(row);
        }
        count += rows.length;
      }
      if (count >= most) flush();
      else if (count) timer ??= setTimeout(flush, 1000 * seconds);
    },
    async finish() {
      flush();
      await writing;
      if (failure !== undefined) throw failure;
    },
  };
}

/** Rows from a thread have every name as a string of its own; while they wait, equal ones are kept once. */
function shareWords(row: Record<string, unknown>, words: Map<string, string>): void {
  for (const column of Object.keys(row)) {
    const word = row[column];
    if (typeof word !== 'string') continue;
    const known = words.get(word);
    if (known === undefined) words.set(word, word);
    else row[column] = known;
  }
}
