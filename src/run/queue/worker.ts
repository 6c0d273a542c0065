import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { UserError } from '../../contracts/errors.ts';
import { assignmentSchema, type Chunk, chunkSchema } from '../../contracts/queue.ts';
import { crashLessons, takeInHand } from '../../formats/in-hand.ts';
import { rememberFileHashes } from '../hash.ts';
import { answersOf, checkRoom, isDone, writeDone } from './chunks.ts';
import { queueConnection, queueName, unlessAway } from './connection.ts';
import { assignmentKey } from './keys.ts';
import { type AssignmentPlace, type OpenAssignment, openRunAssignment } from './open-assignment.ts';
import { openShareAssignment, type ShareWorks } from './share-work.ts';
import { endTrouble, machineTrouble, tellTrouble, WorkerTrouble } from './trouble.ts';
import { createTurns } from './turns.ts';

export interface WorkerOptions extends AssignmentPlace {
  readonly url: string;
  readonly redis: Redis;
  /** Commands beside `run` whose shares can be done here. */
  readonly shareWorks?: ShareWorks;
  readonly onChunk?: (done: { name: string; answers: number; seconds: number }) => void;
  readonly onError?: (message: string) => void;
}

export interface QueueWorker {
  readonly name: string;
  readonly counts: { chunks: number; answers: number; failures: number; seconds: number };
  /** When a chunk was last begun or ended (milliseconds since 1970). */
  lastBusy(): number;
  isConnected(): boolean;
  /** Why no work is taken at the moment. */
  trouble(): string | undefined;
  /** Finishes the chunks in hand, then leaves. */
  close(): Promise<void>;
}

/** A worker with trouble tries again after so long. */
const troubleMs = 10_000;
const handBackMs = 200;
const leaveMs = 50;

/**
 * Takes chunks from the queue until it is closed. One chunk at a time has all cores, with the next one in hand already, so
 * that no core waits between two; models stay loaded.
 */
export function startWorker(options: WorkerOptions): QueueWorker {
  rememberFileHashes();
  const name = `${hostname()}-${process.pid}`;
  const counts = { chunks: 0, answers: 0, failures: 0, seconds: 0 };
  const turns = createTurns();
  let current: OpenAssignment | undefined;
  let trouble: { readonly assignment: string; readonly line: string } | undefined;
  let wakeUp: NodeJS.Timeout | undefined;
  let inHand = 0;
  let lastBusy = Date.now();
  const opened = async (id: string): Promise<OpenAssignment> => {
    if (current?.id !== id) {
      await turns.othersDone();
      await current?.close();
      current = undefined;
      current = await openAssignment(id, options);
    }
    return current;
  };

  const work = async (chunk: Chunk) => {
    const turn = await turns.take();
    const started = performance.now();
    try {
      const { out, carryOut } = await opened(chunk.assignment);
      // Given out twice, after a stall: the rows are there, and the name says that they are the same.
      if (await isDone(out, chunk.name)) return;
      if (trouble) await checkRoom(out);
      const { errors } = await carryOut(chunk, turn.next);
      const answers = answersOf(chunk);
      const seconds = (performance.now() - started) / 1000;
      const lines = errors.map((line) => JSON.parse(JSON.stringify(line)) as Record<string, string>);
      await writeDone(out, { name: chunk.name, worker: name, answers, seconds, errors: lines });
      counts.chunks++;
      counts.answers += answers;
      counts.seconds += seconds;
      options.onChunk?.({ name: chunk.name, answers, seconds });
      if (trouble) await endTrouble(options.redis, trouble.assignment, name);
      trouble = undefined;
    } finally {
      turn.end();
    }
  };

  /** Puts the chunk back without counting a try; this worker takes no more for a while. */
  const handBack = async (job: Job, token: string | undefined, line: string) => {
    if (trouble?.line !== line)
      options.onError?.(`${line}; the chunk goes to others, no more is taken until that is over`);
    trouble = { assignment: (job.data as Chunk).assignment, line };
    await worker.pause(true);
    clearTimeout(wakeUp);
    wakeUp = setTimeout(() => worker.resume(), troubleMs);
    await tellTrouble(options.redis, trouble.assignment, name, line);
    // Behind what else is waiting, which this worker may be able to do.
    await job.moveToDelayed(Date.now() + handBackMs, token);
    return new DelayedError();
  };

  const worker: Worker = new Worker(
    queueName,
    async (job, token) => {
      inHand++;
      const release = takeInHand('chunk', () => [String(job.id), token ?? '']);
      try {
        await work(chunkSchema.parse(job.data));
      } catch (error) {
        const line = error instanceof WorkerTrouble ? error.message : machineTrouble(error);
        if (line !== undefined) throw await handBack(job, token, line);
        counts.failures++;
        options.onError?.(`${job.id}: ${(error as Error).message}`);
        throw error;
      } finally {
        release();
        inHand--;
        lastBusy = Date.now();
      }
    },
    {
      connection: queueConnection(options.url),
      name,
      concurrency: 2,
      // A worker that has not said that it lives for this long is gone; its chunk goes to another.
      lockDuration: 30_000,
      stalledInterval: 10_000,
      maxStalledCount: 5,
    },
  );
  worker.on('error', (error) => options.onError?.(error.message));
  void returnChunks(options).catch((error: Error) => options.onError?.(error.message));
  return {
    name,
    counts,
    lastBusy: () => (inHand ? Date.now() : lastBusy),
    isConnected: () => options.redis.status === 'ready',
    trouble: () => trouble?.line,
    async close() {
      clearTimeout(wakeUp);
      const { redis } = options;
      const finishing = worker.close();
      // The rows of a finished chunk are where they belong; the queue learns that from the folder if it is away now.
      while (inHand) await wait(leaveMs);
      await unlessAway(redis, finishing);
      void worker.disconnect().catch(() => undefined);
      if (trouble) await unlessAway(redis, endTrouble(redis, trouble.assignment, name)).catch(() => undefined);
      await current?.close();
    },
  };
}

/**
 * Gives back at once the chunks that a crashed process of this worker had taken: their locks would take half a minute
 * to expire.
 */
async function returnChunks({ url }: WorkerOptions): Promise<void> {
  const { chunks = [] } = crashLessons();
  if (!chunks.length) return;
  const queue = new Queue(queueName, { connection: queueConnection(url) });
  try {
    for (let i = 0; i < chunks.length; i += 2) {
      const job = await queue.getJob(chunks[i]);
      // Another may have taken it meanwhile.
      await job?.moveToDelayed(Date.now() + handBackMs, chunks[i + 1]).catch(() => undefined);
    }
  } finally {
    await queue.close();
  }
}

async function openAssignment(id: string, options: WorkerOptions): Promise<OpenAssignment> {
  const text = await options.redis.get(assignmentKey(id));
  if (!text) throw new UserError(`The queue no longer has the run ${id}; its coordinator will send it again`);
  const assignment = assignmentSchema.parse(JSON.parse(text));
  if (assignment.sceneshift !== options.version)
    throw new WorkerTrouble(`planned by Sceneshift ${assignment.sceneshift}; this worker is ${options.version}`);
  try {
    if (assignment.command === 'run') return await openRunAssignment(assignment, options);
    const load = options.shareWorks?.[assignment.command];
    if (!load) throw new WorkerTrouble(`this worker does no shares of ${assignment.command}`);
    return await openShareAssignment(assignment, await load(), options);
  } catch (error) {
    // Files that are not here, a root that is too narrow, memory: another machine may be able to.
    throw new WorkerTrouble((error as Error).message.split('\n')[0]);
  }
}
