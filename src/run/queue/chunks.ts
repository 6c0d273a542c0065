import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chunk, type ChunkDone, chunkDoneSchema } from '../../contracts/queue.ts';
import { openMarks } from '../../storage/marks.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { writeAtomic } from '../atomic.ts';
import { hashJson } from '../hash.ts';
import type { MissingAnswers } from '../predict-job.ts';

/** Folder below the run's in which a worker leaves a file for each finished chunk; removed when the run is complete. */
const doneFolder = '.queue';

/** A few seconds of work for a worker of two cores: that much is lost when one dies. */
const chunkAnswers = 400;
/** The last chunks are smaller, so that no worker waits long for another. */
const [lastAnswers, lastParts] = [1600, 4];

export interface AnswersToChunk {
  /** The conditions of every sample. */
  readonly wanted: readonly (readonly number[])[];
  readonly missing: readonly MissingAnswers[];
}

/**
 * Chunks of about so many answers, cut at the same samples whatever is still missing, and named by what is in them: planned
 * again after a coordinator's end, what is queued already has the same name.
 */
export function makeChunks(
  assignment: string,
  { wanted, missing }: AnswersToChunk,
  { answersPerChunk = chunkAnswers, models }: { answersPerChunk?: number; models?: readonly number[] } = {},
): Chunk[] {
  const bySample = new Map(missing.map((one) => [one.sampleIndex, one]));
  const chunks: Chunk[] = [];
  let left = wanted.reduce((sum, conditions) => sum + conditions.length, 0);
  const last = Math.min(lastAnswers, left / 2);
  let [work, answers]: [MissingAnswers[], number] = [[], 0];
  for (const [sampleIndex, conditions] of wanted.entries()) {
    const one = bySample.get(sampleIndex);
    if (one) work.push({ sampleIndex, conditions: [...one.conditions] });
    answers += conditions.length;
    left -= conditions.length;
    if (answers < (left >= last ? answersPerChunk : answersPerChunk / lastParts) && sampleIndex < wanted.length - 1)
      continue;
    if (work.length)
      chunks.push({
        assignment,
        name: hashJson([assignment, work]),
        work: work as Chunk['work'],
        ...(models && { models: [...models] }),
      });
    [work, answers] = [[], 0];
  }
  return chunks;
}

export const answersOf = ({ work = [] }: Chunk): number =>
  work.reduce((sum, { conditions }) => sum + conditions.length, 0);

/** A chunk that takes longer than this is much to lose with its worker. */
const [longSeconds, rightSeconds] = [60, 5];

/** What to say of a chunk that took too long, where a smaller one could be asked for. */
export function adviceOn(chunk: Chunk, seconds: number): string | undefined {
  if (seconds < longSeconds || (chunk.work?.length ?? 0) < 2) return undefined;
  const answers = Math.max(1, Math.round((answersOf(chunk) * rightSeconds) / seconds));
  return `a chunk of ${answersOf(chunk)} answers took ${Math.round(seconds)} s, which are lost where its worker dies; --chunk ${answers} makes it about ${rightSeconds} s`;
}

export async function writeDone(out: string, done: ChunkDone): Promise<void> {
  if (isS3(out)) return openMarks(out, doneFolder).putOnce(`${done.name}.json`, JSON.stringify(done));
  await mkdir(join(out, doneFolder), { recursive: true });
  await writeAtomic(out, join(doneFolder, `${done.name}.json`), JSON.stringify(done), { durable: true });
}

/** Names of the chunks that workers have finished and that the coordinator has not yet read (`removeDone`). */
export async function listDone(out: string): Promise<Set<string>> {
  const names = isS3(out)
    ? await openMarks(out, doneFolder).list()
    : await readdir(join(out, doneFolder)).catch(() => [] as string[]);
  return new Set(names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)));
}

export async function readDone(out: string, name: string): Promise<ChunkDone | undefined> {
  const text = isS3(out)
    ? await openMarks(out, doneFolder).read(`${name}.json`)
    : await readFile(join(out, doneFolder, `${name}.json`), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : chunkDoneSchema.parse(JSON.parse(text));
}

/** Whether a chunk is finished, and the coordinator has not yet read it. */
export const isDone = async (out: string, name: string): Promise<boolean> =>
  isS3(out)
    ? (await openMarks(out, doneFolder).read(`${name}.json`)) !== undefined
    : existsSync(join(out, doneFolder, `${name}.json`));

/** Removes the file of a chunk that was read, so that listing stays fast after a hundred thousand chunks. */
export async function removeDone(out: string, name: string): Promise<void> {
  if (!isS3(out)) await rm(join(out, doneFolder, `${name}.json`), { force: true });
}

export const clearDone = (out: string): Promise<void> =>
  isS3(out) ? openMarks(out, doneFolder).clear() : rm(join(out, doneFolder), { recursive: true, force: true });

/** Throws where the folder has no room: asked before a chunk is computed that could not be kept. */
export async function checkRoom(out: string): Promise<void> {
  if (isS3(out)) return;
  const probe = join(doneFolder, `.room-${process.pid}`);
  await writeAtomic(out, probe, new Uint8Array(2 ** 20));
  await rm(join(out, probe), { force: true });
}
