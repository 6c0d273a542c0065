import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { UserError } from '../../contracts/errors.ts';
import { assignmentSchema, type Chunk, chunkSchema } from '../../contracts/queue.ts';
import { crashLessons, takeInHand } from '../../formats/in-hand.ts';
import { rememberFileHashes } from '../hash.ts';
import { answersOf, checkRoom, isDone, writeDone } from './chunks.ts';
import { unlessAway } from './connection.ts';
import { assignmentKey } from './keys.ts';
import { laneOf, queueOf } from './lanes.ts';
import { type AssignmentPlace, type OpenAssignment, openRunAssignment } from './open-assignment.ts';
import { announceWorker } from './present-workers.ts';
import { openShareAssignment, type ShareWorks } from './share-work.ts';
import { createTaker, lockMs, type TakenChunk } from './take-chunks.ts';
import { createOwnTroubles, machineTrouble, WorkerTrouble } from './trouble.ts';
import { createTurns } from './turns.ts';

export interface WorkerOptions extends AssignmentPlace {
  readonly redis: Redis;
  /** Commands beside `run` whose shares can be done here. */
  readonly shareWorks?: ShareWorks;
  /** How long it stays with what it has open while another run waits for a worker. */
  readonly stayMs?: number;
  /** What was opened to work on: a run folder, and the models that are now loaded. */
  readonly onOpened?: (opened: { out: string; models: readonly string[] }) => void;
  readonly onChunk?: (done: { name: string; answers: number; seconds: number }) => void;
  readonly onError?: (message: string) => void;
}

export interface QueueWorker {
  readonly name: string;
  /** `openings`: how often runs, or groups of their models, were opened. */
  readonly counts: { chunks: number; answers: number; failures: number; seconds: number; openings: number };
  /** When a chunk was last begun or ended (milliseconds since 1970). */
  lastBusy(): number;
  isConnected(): boolean;
  /** Why no work is done at the moment; one that does another run's is well. */
  trouble(): string | undefined;
  /** Finishes the chunks in hand, then leaves. */
  close(): Promise<void>;
}

const handBackMs = 200;
const leaveMs = 50;
/** Who has done a chunk within this time is well, whatever it cannot do beside. */
const wellMs = 60_000;
/** Lanes that were empty are asked again after this, and later and later while they stay so. */
const [idleMs, mostIdleMs] = [100, 1000];

/**
 * Takes chunks from the queue until it is closed. One chunk at a time has all cores, with the next one in hand already, so
 * that no core waits between two. Models stay loaded, and chunks that need them come first.
 */
export function startWorker(options: WorkerOptions): QueueWorker {
  rememberFileHashes();
  const { redis } = options;
  const name = `${hostname()}-${process.pid}`;
  const counts = { chunks: 0, answers: 0, failures: 0, seconds: 0, openings: 0 };
  const turns = createTurns();
  const troubles = createOwnTroubles(redis, name);
  const onError = (message: string) => options.onError?.(message);
  const taker = createTaker({ redis, name, onError, stayMs: options.stayMs });
  const closing = new AbortController();
  // The chunk that is worked on, and the next one. After a crash no other may run beside the suspects, which are tried alone.
  const hands = crashLessons().suspects.length ? 1 : 2;
  let assignment: OpenAssignment | undefined;
  let openLane: string | undefined;
  let inHand = 0;
  let lastBusy = Date.now();
  let lastDone = 0;
  announceWorker(redis, name);

  const opened = async (chunk: Chunk): Promise<OpenAssignment> => {
    if (assignment && openLane === laneOf(chunk)) return assignment;
    await turns.othersDone();
    openLane = undefined;
    if (assignment?.id !== chunk.assignment) {
      await assignment?.close();
      assignment = undefined;
      assignment = await openAssignment(chunk.assignment, options);
    }
    const models = await assignment.hold(chunk.models);
    openLane = laneOf(chunk);
    counts.openings++;
    options.onOpened?.({ out: assignment.out, models });
    return assignment;
  };

  const work = async (chunk: Chunk) => {
    const turn = await turns.take();
    const started = performance.now();
    try {
      const { out, carryOut } = await opened(chunk);
      // Given out twice, after a stall: the rows are there, and the name says that they are the same.
      if (await isDone(out, chunk.name)) return;
      if (troubles.of(chunk.assignment)) await checkRoom(out);
      const { errors } = await carryOut(chunk, turn.next);
      const answers = answersOf(chunk);
      const seconds = (performance.now() - started) / 1000;
      const lines = errors.map((line) => JSON.parse(JSON.stringify(line)) as Record<string, string>);
      await writeDone(out, { name: chunk.name, worker: name, answers, seconds, errors: lines });
      lastDone = Date.now();
      counts.chunks++;
      counts.answers += answers;
      counts.seconds += seconds;
      options.onChunk?.({ name: chunk.name, answers, seconds });
      await troubles.end(chunk.assignment);
    } finally {
      turn.end();
    }
  };

  /** Works on a chunk; answers how the queue is told what became of it. */
  const attempt = async ({ job, token }: TakenChunk): Promise<() => Promise<unknown>> => {
    try {
      // It was in the hands of one worker after the other that then died.
      if (job.deferredFailure) throw new UnrecoverableError(job.deferredFailure);
      await work(chunkSchema.parse(job.data));
      return () => job.moveToCompleted(undefined, token, false);
    } catch (error) {
      const line = error instanceof WorkerTrouble ? error.message : machineTrouble(error);
      if (line === undefined) {
        counts.failures++;
        onError(`${job.id}: ${(error as Error).message}`);
        return () => job.moveToFailed(error as Error, token, false);
      }
      const { assignment: id } = job.data as Chunk;
      if (troubles.of(id) !== line)
        onError(`${line}; the chunk goes to others, no more of its run is taken until that is over`);
      const told = troubles.begin(id, line);
      // Put back without counting a try.
      return async () => {
        await told;
        await job.moveToDelayed(Date.now() + handBackMs, token);
      };
    }
  };

  const handle = async (taken: TakenChunk): Promise<void> => {
    const { job, token, lane } = taken;
    inHand++;
    const release = takeInHand('chunk', () => [lane, String(job.id), token]);
    const renewing = setInterval(() => job.extendLock(token, lockMs).catch(report), lockMs / 3);
    const tell = await attempt(taken);
    release();
    inHand--;
    lastBusy = Date.now();
    await tell().catch(report);
    clearInterval(renewing);
    taken.release();
  };
  const report = (error: Error) => onError(error.message);

  const takeChunks = async () => {
    const underWay = new Set<Promise<void>>();
    let idle = idleMs;
    let pause: Promise<unknown> | undefined;
    while (!closing.signal.aborted) {
      const taken = underWay.size < hands && (await taker.take(troubles.isRecent).catch(report));
      if (taken) {
        const handled = handle(taken).finally(() => underWay.delete(handled));
        underWay.add(handled);
        idle = idleMs;
        continue;
      }
      // One that has not run out yet is waited for again.
      pause ??= wait(idle, undefined, { signal: closing.signal })
        .catch(() => undefined)
        .finally(() => (pause = undefined));
      await Promise.race([...underWay, ...(underWay.size < hands ? [pause] : [])]);
      idle = Math.min(mostIdleMs, 2 * idle);
    }
    await Promise.all(underWay);
  };
  const finished = takeChunks();

  void returnChunks(redis).catch(report);
  return {
    name,
    counts,
    lastBusy: () => (inHand ? Date.now() : lastBusy),
    isConnected: () => redis.status === 'ready',
    trouble: () => (Date.now() - lastDone < wellMs ? undefined : troubles.any()),
    async close() {
      closing.abort();
      // The rows of a finished chunk are where they belong; the queue learns that from the folder if it is away now.
      while (inHand) await wait(leaveMs);
      await unlessAway(redis, finished);
      taker.close();
      await unlessAway(redis, troubles.endAll()).catch(() => undefined);
      await assignment?.close();
    },
  };
}

/**
 * Gives back at once the chunks that a crashed process of this worker had taken: their locks would take half a minute
 * to expire.
 */
async function returnChunks(redis: Redis): Promise<void> {
  const { chunks = [] } = crashLessons();
  for (let i = 0; i < chunks.length; i += 3) {
    const [lane, id, token] = chunks.slice(i, i + 3);
    const queue = new Queue(queueOf(lane), { connection: redis });
    const job = await queue.getJob(id);
    // Another may have taken it meanwhile.
    await job?.moveToDelayed(Date.now() + handBackMs, token).catch(() => undefined);
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
