import { availableParallelism } from 'node:os';
import { packColumns } from '../contracts/explore/pack.ts';
import { defineJob } from '../run/jobs.ts';
import { readColumns } from './columns-reader.ts';

export interface ColumnsTask {
  readonly run: string;
  readonly shards: readonly string[];
}

/** One core is left to the page. */
const threads = Math.max(1, availableParallelism() - 1);

/** Millions of answers are sorted in a thread of their own: the page is answered meanwhile. */
export const columnsJob = defineJob<null, ColumnsTask, Uint8Array>({
  name: 'studio-columns',
  open: async () => ({
    run: async ({ run, shards }) => packColumns(await readColumns(run, shards, { threads })),
    close: async () => {},
  }),
});
