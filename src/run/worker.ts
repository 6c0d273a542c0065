import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Prepared } from '../models/define.ts';
import { learnInt8 } from '../models/onnx/int8.ts';
import { hurry } from '../storage/patience.ts';
import { Interrupted, type Job, type JobHost, type OpenJob } from './jobs.ts';
import { loadSamePlugins } from './plugins/load.ts';
import { type FromWorker, lostMessage, packError, type ToWorker, unpackError } from './pool.ts';

export type AnyJob = Job<never, never, unknown, never, never>;

/** The thread's side of `createPool`: loads the job named in `workerData`, opens it or another when told how, then answers tasks until told to close. */
export async function serveJobs(jobs: Readonly<Record<string, () => Promise<AnyJob>>>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('sceneshift: worker.js is started by the pool, not by hand');

  const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const waiting = new Map<number, { resolve(answers: Answer[]): void; reject(error: Error): void }>();
  let asked = 0;

  let stopping = false;
  const host: JobHost = {
    isStopping: () => stopping,
    answer: (model, batch, questions) =>
      new Promise((resolve, reject) => {
        if (stopping) throw new Interrupted();
        if (batch.some(isGivenAway)) throw new Error('a prepared picture was handed to the main thread twice');
        const id = asked++;
        // Part of a larger buffer is copied: the rest of it may be in use.
        const own = batch.map((one) => (one.buffer.byteLength === one.byteLength ? one : (one.slice() as Prepared)));
        send({ kind: 'question', id, model, batch: own, questions }, [
          ...new Set(own.map(({ buffer }) => buffer as ArrayBuffer)),
        ]);
        waiting.set(id, { resolve, reject });
      }),
  };
  const giveUp = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  port.on('messageerror', (error) => giveUp(lostMessage(error)));

  // The job's modules start loading before the first task arrives.
  const first = jobs[workerData.job]();
  first.then((job) => job.loadEarly?.()).catch(() => undefined);
  let sessions: Promise<typeof import('../models/onnx/session.ts') | undefined> | undefined;
  let isEnding = false;
  const openSession = async (path: string) => {
    sessions ??= import('../models/onnx/session.ts').catch(() => undefined);
    const { openSessionAhead } = (await sessions) ?? {};
    if (!isEnding) await openSessionAhead?.(path);
  };
  let early: Promise<unknown> | undefined;
  const openEarly = async ({ settings, plugins, int8 }: Extract<ToWorker, { kind: 'early' }>) => {
    learnInt8(int8);
    await sessions;
    await loadSamePlugins(plugins);
    return (await first).openEarly?.(settings as never);
  };
  let job: OpenJob<never, unknown> | undefined;
  const open = async ({ job: name, init, plugins, int8 }: Extract<ToWorker, { kind: 'open' }>) => {
    try {
      // What failed early is tried again, and told.
      const opened = await early;
      early = undefined;
      learnInt8(int8);
      await loadSamePlugins(plugins);
      job = await (await jobs[name]()).open(init as never, host, opened as never);
      await (await sessions)?.closeSessionsAhead();
      send({ kind: 'ready' });
    } catch (error) {
      send({ kind: 'broken', error: packError(error) });
      port.close();
    }
  };
  port.on('message', async (message: ToWorker) => {
    if (message.kind === 'session') await openSession(message.path);
    else if (message.kind === 'early') early ??= openEarly(message).catch(() => undefined);
    else if (message.kind === 'open') await open(message);
    else if (message.kind === 'answers') {
      const question = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) question?.reject(unpackError(message.error));
      else question?.resolve(message.answers);
    } else if (message.kind === 'task') {
      try {
        const { index } = message;
        const emit = (result: unknown) => send({ kind: 'part', index, result });
        send({ kind: 'result', index, result: await job?.run(message.task as never, emit as never) });
      } catch (error) {
        send({ kind: 'failed', index: message.index, error: packError(error) });
      }
    } else if (message.kind === 'stop') {
      stopping = true;
      hurry();
      giveUp(new Interrupted());
    } else if (message.kind === 'close') {
      await job?.close();
      job = undefined;
      send({ kind: 'closed' });
    } else {
      isEnding = true;
      port.close();
    }
  });
}

/** `ArrayBuffer.detached` is newer than the oldest Node we run on. */
function isGivenAway({ buffer }: Prepared): boolean {
  try {
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}
