import { parentPort, workerData } from 'node:worker_threads';
import type { Answer } from '../models/define.ts';
import type { Host, Job } from './jobs.ts';
import { type FromWorker, packError, type ToWorker } from './pool.ts';

export type AnyJob = Job<never, never, unknown>;

/** The thread's side of `createPool`: opens the job named in `workerData`, then answers tasks until told to close. */
export async function serveJobs(jobs: Readonly<Record<string, () => Promise<AnyJob>>>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('sceneshift: worker.js is started by the pool, not by hand');

  const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const waiting = new Map<number, { resolve(answers: Answer[]): void; reject(error: Error): void }>();
  let asked = 0;

  const host: Host = {
    ask: (model, batch, questions) =>
      new Promise((resolve, reject) => {
        const id = asked++;
        waiting.set(id, { resolve, reject });
        send(
          { kind: 'ask', id, model, batch, questions },
          batch.map((prepared) => prepared.buffer as ArrayBuffer),
        );
      }),
  };

  try {
    const job = await (await jobs[workerData.job]()).open(workerData.init as never, host);
    port.on('message', async (message: ToWorker) => {
      if (message.kind === 'answers') {
        const ask = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.error) ask?.reject(new Error(message.error));
        else ask?.resolve(message.answers);
      } else if (message.kind === 'task') {
        try {
          send({ kind: 'result', index: message.index, result: await job.run(message.task as never) });
        } catch (error) {
          send({ kind: 'failed', index: message.index, error: packError(error) });
        }
      } else {
        await job.close();
        port.close();
      }
    });
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'broken', error: packError(error) });
  }
}
