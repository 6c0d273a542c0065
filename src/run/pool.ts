import { SampleError, type SampleProblem, UserError } from '../contracts/errors.ts';
import { takeInHand } from '../formats/in-hand.ts';
import type { Answer, Prepared, Question } from '../models/define.ts';
import { knownInt8 } from '../models/onnx/int8.ts';
import { arrangeTasks, type CrashGuard, crashLine } from './crash-guard.ts';
import { type Host, Interrupted, type Job, type JobHost } from './jobs.ts';
import { pluginFiles } from './plugins/load.ts';
import { areThreadsKept, endThread, giveThreadBack, startedThreads, takeThread } from './threads.ts';

export type ToWorker =
  | { kind: 'session'; path: string }
  | ({ kind: 'early'; settings: unknown } & ThreadFacts)
  | ({ kind: 'open'; job: string; init: unknown } & ThreadFacts)
  | { kind: 'task'; index: number; task: unknown }
  | { kind: 'answers'; id: number; answers: Answer[]; error?: SentError }
  | { kind: 'stop' }
  /** Answered by `closed`: the thread waits for another job. */
  | { kind: 'close' }
  | { kind: 'end' };

/** What the main thread has loaded and found, which every thread must know too. */
interface ThreadFacts {
  readonly plugins: ReturnType<typeof pluginFiles>;
  readonly int8: ReturnType<typeof knownInt8>;
}

const threadFacts = (): ThreadFacts => ({ plugins: pluginFiles(), int8: knownInt8() });

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'closed' }
  | { kind: 'broken'; error: SentError }
  | { kind: 'part'; index: number; result: unknown }
  | { kind: 'result'; index: number; result: unknown }
  | { kind: 'failed'; index: number; error: SentError }
  | { kind: 'question'; id: number; model: number; batch: Prepared[]; questions: Question[] };

export interface WorkerPool<Task, Result> {
  /**
   * Runs every task, a few at a time; `onResult` sees results, and parts of them, as they come, in no set order. On abort
   * nothing more is begun, and what is under way ends at its next step.
   */
  forEach(
    tasks: Iterable<Task>,
    onResult: (result: Result, task: Task) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

interface PoolOptions<Task, Result> {
  readonly threads: number;
  /** Tasks a thread holds at a time: more than one where tasks wait for models in the main thread. */
  readonly tasksPerThread?: number;
  readonly host?: Host;
  readonly guard?: CrashGuard<Task, Result>;
}

interface Lane<Task, Result> {
  run(task: Task, emit: (part: Result) => void): Promise<Result>;
  stop(): void;
  close(): Promise<void>;
}

/** Threads that share a job. Run from TypeScript source (the unit tests), the job runs in this thread instead. */
export async function createPool<Init, Task, Result>(
  job: Pick<Job<Init, Task, Result>, 'name' | 'open'>,
  init: Init,
  { threads, tasksPerThread = 1, host = noHost, guard }: PoolOptions<Task, Result>,
): Promise<WorkerPool<Task, Result>> {
  const inThisThread = import.meta.url.endsWith('.ts') || threads === 0;
  const stoppable = stoppableHost(host);
  const lanes: Promise<Lane<Task, Result>>[] = inThisThread
    ? [job.open(init, stoppable.host).then((opened) => ({ ...opened, stop: () => undefined }))]
    : Array.from({ length: threads }, () => openThread<Task, Result>(job.name, init, stoppable.host));
  const whenOpen = (act: (lane: Lane<Task, Result>) => void | Promise<void>) =>
    Promise.all(lanes.map((lane) => lane.then(act, () => undefined)));
  const close = () => whenOpen((lane) => lane.close());
  // The others join the work when they are ready.
  const first = await Promise.race(lanes).catch(async (error) => {
    await close();
    throw error;
  });

  return {
    async forEach(tasks, onResult, signal) {
      const { alone, others } = arrangeTasks(tasks, guard, lanes.length * tasksPerThread);
      const queue = others[Symbol.iterator]();
      let failure: unknown;
      const stop = () => {
        stoppable.stop();
        void whenOpen((lane) => lane.stop());
      };
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
      const drain = async (lane: Lane<Task, Result>, waiting: Iterator<Task>) => {
        while (failure === undefined && !signal?.aborted) {
          const { value: task, done } = waiting.next();
          if (done) return;
          const take = async (result: Result) => {
            try {
              await onResult(result, task);
            } catch (error) {
              failure ??= error;
            }
          };
          const crashed = guard && crashLine(task, guard);
          const release = guard && takeInHand('sample', () => guard.samples(task).map(({ id }) => id));
          try {
            await take(crashed ? guard.leaveOut(task, crashed) : await lane.run(task, take));
          } catch (error) {
            if (!(error instanceof Interrupted && signal?.aborted)) failure ??= error;
          } finally {
            release?.();
          }
        }
      };
      await drain(first, alone[Symbol.iterator]());
      const join = async (opening: Promise<Lane<Task, Result>>) => {
        const lane = await opening;
        await Promise.all(Array.from({ length: tasksPerThread }, () => drain(lane, queue)));
      };
      await Promise.all(lanes.map((lane) => join(lane).catch((error) => (failure ??= error))));
      signal?.removeEventListener('abort', stop);
      if (failure !== undefined) throw failure;
    },
    async close() {
      await close();
    },
  };
}

const noHost: Host = {
  answer: () => Promise.reject(new Error('this job has no models in the main thread')),
};

/** On stop, jobs that wait for an answer are told at once, so that a slow program is not waited for. */
function stoppableHost(host: Host): { host: JobHost; stop(): void } {
  let stopping = false;
  const waiting = new Set<(error: Interrupted) => void>();
  return {
    host: {
      isStopping: () => stopping,
      answer: (model, batch, questions) =>
        new Promise((resolve, reject) => {
          if (stopping) throw new Interrupted();
          waiting.add(reject);
          host
            .answer(model, batch, questions)
            .then(resolve, reject)
            .finally(() => waiting.delete(reject));
        }),
    },
    stop() {
      stopping = true;
      for (const reject of waiting) reject(new Interrupted());
    },
  };
}

/** Has the threads that were started open what their job can without a plan; threads beyond `count` are not needed after all. */
export function openEarly<Settings>(
  { name }: { readonly name: string; openEarly?(settings: Settings): Promise<unknown> },
  count: number,
  settings: Settings,
): void {
  const message: ToWorker = { kind: 'early', settings, ...threadFacts() };
  for (const [i, worker] of startedThreads(name).entries())
    if (i < count) worker.postMessage(message);
    else endThread(worker);
}

/** Has the threads that were started for a job open a model that is still being tried. */
export function openSessionEarly({ name }: { readonly name: string }, path: string): void {
  const message: ToWorker = { kind: 'session', path };
  for (const worker of startedThreads(name)) worker.postMessage(message);
}

function openThread<Task, Result>(job: string, init: unknown, host: JobHost): Promise<Lane<Task, Result>> {
  return new Promise((resolveOpen, rejectOpen) => {
    const worker = takeThread(job);
    interface Pending {
      resolve(result: Result): void;
      reject(error: unknown): void;
      emit(part: Result): void;
    }
    const pending = new Map<number, Pending>();
    let count = 0;
    let isStopped = false;
    let onClosed = () => {};
    const post = (message: ToWorker) => worker.postMessage(message);

    const die = (error: unknown) => {
      rejectOpen(error);
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    worker.on('error', (error) => die(describeDeath(error)));
    worker.on('messageerror', (error) => die(lostMessage(error)));
    worker.on('exit', (code) => die(new Error(`a worker thread ended early (status ${code})`)));
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolveOpen(lane);
      else if (message.kind === 'closed') onClosed();
      else if (message.kind === 'broken') die(unpackError(message.error));
      else if (message.kind === 'question') {
        host.answer(message.model, message.batch, message.questions).then(
          (answers) => post({ kind: 'answers', id: message.id, answers }),
          (error) => post({ kind: 'answers', id: message.id, answers: [], error: packError(error) }),
        );
      } else {
        const task = pending.get(message.index);
        if (message.kind === 'part') return task?.emit(message.result as Result);
        pending.delete(message.index);
        if (message.kind === 'result') task?.resolve(message.result as Result);
        else task?.reject(unpackError(message.error));
      }
    });

    post({ kind: 'open', job, init, ...threadFacts() });
    const lane: Lane<Task, Result> = {
      run: (task, emit) =>
        new Promise((resolve, reject) => {
          const index = count++;
          pending.set(index, { resolve, reject, emit });
          post({ kind: 'task', index, task });
        }),
      stop() {
        isStopped = true;
        post({ kind: 'stop' });
      },
      close: () =>
        new Promise((resolve) => {
          worker.removeAllListeners('exit');
          worker.once('exit', () => resolve());
          onClosed = () => {
            // One that was told to hurry goes on hurrying.
            if (isStopped || !areThreadsKept()) return post({ kind: 'end' });
            giveThreadBack(worker, job);
            resolve();
          };
          post({ kind: 'close' });
        }),
    };
  });
}

/** An error between threads: structured cloning keeps neither the class nor the name of our own errors. */
export interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly exitCode: number | undefined;
  /** Of a sample's error. */
  readonly problem: SampleProblem | undefined;
  readonly file: string | undefined;
  readonly interrupted: boolean;
}

export function packError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const exitCode = error instanceof UserError ? error.exitCode : undefined;
  const { problem, file } = error instanceof SampleError ? error : {};
  return { message, stack, exitCode, problem, file, interrupted: error instanceof Interrupted };
}

/**
 * The answer to a message that cannot be read would never come, so this error is thrown instead of waiting for ever.
 */
export const lostMessage = (error: Error): Error =>
  new Error(`a message between threads was lost (${error.message}); please report this`, { cause: error });

export function unpackError({ message, stack, exitCode, problem, file, interrupted }: SentError): Error {
  if (interrupted) return new Interrupted();
  const error = problem
    ? new SampleError(problem, message, { file })
    : exitCode === undefined
      ? new Error(message)
      : new UserError(message, { exitCode });
  error.stack = stack;
  return error;
}

function describeDeath(error: unknown): unknown {
  const outOfMemory = (error as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return outOfMemory
    ? new UserError('A worker ran out of memory; use fewer --threads or smaller images', { exitCode: 1 })
    : error;
}
