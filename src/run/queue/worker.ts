import { hostname } from 'node:os';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { UserError } from '../../contracts/errors.ts';
import { assignmentSchema, type Chunk, chunkSchema } from '../../contracts/queue.ts';
import { type AnswerService, openAnswering } from '../answer-missing.ts';
import { createShardWriter, openRunStore, type RunStore } from '../folder/index.ts';
import { openInputs } from '../inputs.ts';
import { makePlan, type Plan } from '../plan.ts';
import type { PredictResult } from '../predict-job.ts';
import { runScenarios } from '../run-scenarios.ts';
import { localConfig, planHash } from './assignment.ts';
import { listDone, writeDone } from './chunks.ts';
import { queueConnection, queueName } from './connection.ts';
import { assignmentKey } from './keys.ts';

export interface WorkerOptions {
  readonly url: string;
  readonly redis: Redis;
  readonly root: string;
  readonly threads?: number;
  readonly version: string;
  readonly onChunk?: (done: { name: string; answers: number; seconds: number }) => void;
  readonly onError?: (message: string) => void;
}

export interface QueueWorker {
  readonly name: string;
  readonly counts: { chunks: number; answers: number; failures: number; seconds: number };
  /** When a chunk was last begun or ended (milliseconds since 1970). */
  lastBusy(): number;
  isConnected(): boolean;
  /** Finishes the chunk in hand, then leaves. */
  close(): Promise<void>;
}

/** A run as this machine sees it: inputs opened, models loaded. Kept while chunks of it come. */
interface OpenAssignment {
  readonly id: string;
  readonly out: string;
  readonly plan: Plan;
  readonly service: AnswerService;
  readonly store: RunStore;
  close(): Promise<void>;
}

/** Takes chunks from the queue until it is closed. One chunk at a time has all cores; models stay loaded between chunks. */
export function startWorker(options: WorkerOptions): QueueWorker {
  const name = `${hostname()}-${process.pid}`;
  const counts = { chunks: 0, answers: 0, failures: 0, seconds: 0 };
  let current: OpenAssignment | undefined;
  let busy = false;
  let lastBusy = Date.now();
  const opened = async (id: string): Promise<OpenAssignment> => {
    if (current?.id !== id) {
      await current?.close();
      current = undefined;
      current = await openAssignment(id, options);
    }
    return current;
  };

  const work = async (chunk: Chunk) => {
    const started = performance.now();
    const assignment = await opened(chunk.assignment);
    // Given out twice, after a stall: the rows are there, and the name says that they are the same.
    if ((await listDone(assignment.out)).has(chunk.name)) return { answers: 0, known: true };
    const rows: PredictResult[] = [];
    const { errors } = await assignment.service.answer(chunk.work, (result) => void rows.push(result));
    const writer = createShardWriter(assignment.store, { rows: Number.POSITIVE_INFINITY });
    for (const { predictions, published, segmentation } of rows) writer.add({ predictions, published, segmentation });
    await writer.finish();
    const answers = chunk.work.reduce((sum, { conditions }) => sum + conditions.length, 0);
    const seconds = (performance.now() - started) / 1000;
    const lines = errors.map((line) => JSON.parse(JSON.stringify(line)) as Record<string, string>);
    await writeDone(assignment.out, { name: chunk.name, worker: name, answers, seconds, errors: lines });
    counts.chunks++;
    counts.answers += answers;
    counts.seconds += seconds;
    options.onChunk?.({ name: chunk.name, answers, seconds });
    return { answers, known: false };
  };

  const worker = new Worker(
    queueName,
    async (job) => {
      busy = true;
      try {
        return await work(chunkSchema.parse(job.data));
      } catch (error) {
        counts.failures++;
        options.onError?.(`${job.id}: ${(error as Error).message}`);
        throw error;
      } finally {
        busy = false;
        lastBusy = Date.now();
      }
    },
    {
      connection: queueConnection(options.url),
      name,
      concurrency: 1,
      // A worker that has not said that it lives for this long is gone; its chunk goes to another.
      lockDuration: 30_000,
      stalledInterval: 10_000,
      maxStalledCount: 5,
    },
  );
  worker.on('error', (error) => options.onError?.(error.message));
  return {
    name,
    counts,
    lastBusy: () => (busy ? Date.now() : lastBusy),
    isConnected: () => options.redis.status === 'ready',
    async close() {
      await worker.close();
      await current?.close();
    },
  };
}

async function openAssignment(id: string, { redis, root, threads, version }: WorkerOptions): Promise<OpenAssignment> {
  const text = await redis.get(assignmentKey(id));
  if (!text) throw new UserError(`The queue no longer has the run ${id}; its coordinator will send it again`);
  const assignment = assignmentSchema.parse(JSON.parse(text));
  if (assignment.sceneshift !== version)
    throw new UserError(`The run was planned by Sceneshift ${assignment.sceneshift}; this worker is ${version}`);
  const { config, out } = await localConfig(assignment, root);
  // What comes over the network names no code to run: a worker has the plugins that it was started with.
  const opened = await openInputs({ ...config, plugins: [], ...(threads && { threads }) }, { version });
  const inputs = { ...opened, scenarios: runScenarios(opened, opened.config).all };
  const plan = await makePlan(inputs);
  if (planHash(plan) !== assignment.planHash)
    throw new UserError(
      `This machine sees other pictures, models or settings below ${root} than the coordinator; nothing was answered`,
    );
  const service = await openAnswering(inputs, plan);
  const store = await openRunStore(out, { sweep: false });
  return {
    ...{ id, out, plan, service, store },
    async close() {
      await service.close();
      store.close();
    },
  };
}
