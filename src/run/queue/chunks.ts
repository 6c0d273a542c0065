import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chunk, type ChunkDone, chunkDoneSchema } from '../../contracts/queue.ts';
import { writeAtomic } from '../atomic.ts';
import { hashJson } from '../hash.ts';
import type { MissingAnswers } from '../predict-job.ts';

/** Where finished chunks say so, below the run folder; taken away when the run is whole. */
const doneFolder = '.queue';

/** Chunks of about so many answers, named by what is in them: planned again, they have the same names. */
export function makeChunks(assignment: string, missing: readonly MissingAnswers[], answersPerChunk: number): Chunk[] {
  const chunks: Chunk[] = [];
  let work: MissingAnswers[] = [];
  let answers = 0;
  const close = () => {
    if (work.length)
      chunks.push({
        assignment,
        name: hashJson([assignment, work]),
        work: work.map(({ sampleIndex, conditions }) => ({ sampleIndex, conditions: [...conditions] })),
      });
    work = [];
    answers = 0;
  };
  for (const one of missing) {
    work.push(one);
    answers += one.conditions.length;
    if (answers >= answersPerChunk) close();
  }
  close();
  return chunks;
}

export async function writeDone(out: string, done: ChunkDone): Promise<void> {
  await mkdir(join(out, doneFolder), { recursive: true });
  await writeAtomic(out, join(doneFolder, `${done.name}.json`), JSON.stringify(done), { durable: true });
}

/** Names of the chunks whose rows are on disk. */
export async function listDone(out: string): Promise<Set<string>> {
  const names = await readdir(join(out, doneFolder)).catch(() => [] as string[]);
  return new Set(names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)));
}

export async function readDone(out: string, name: string): Promise<ChunkDone | undefined> {
  const text = await readFile(join(out, doneFolder, `${name}.json`), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : chunkDoneSchema.parse(JSON.parse(text));
}

export const clearDone = (out: string): Promise<void> => rm(join(out, doneFolder), { recursive: true, force: true });
