import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { decoderTurns } from '../image/decoder-turns.ts';

interface Waiting {
  readonly worker: Worker;
  /** The job whose code it has loaded. */
  readonly job: string;
  /** It has done a job and may do any other; else it was started for its own. */
  readonly isKept: boolean;
}

/** Threads that nobody uses at the moment. They do not keep the process alive. */
const waiting: Waiting[] = [];
/** Threads that were told to end and have not yet. */
const ending = new Set<Promise<unknown>>();
let keepers = 0;

/** By name: Node has listeners of its own on a thread, without which no message would come any more. */
function stopListening(worker: Worker): void {
  for (const event of ['message', 'messageerror', 'error', 'exit']) worker.removeAllListeners(event);
}

function putAside(entry: Waiting): void {
  const { worker } = entry;
  stopListening(worker);
  const forget = () => void (waiting.includes(entry) && waiting.splice(waiting.indexOf(entry), 1));
  worker.once('error', forget);
  worker.once('exit', forget);
  worker.unref();
  waiting.push(entry);
}

/** Starts threads that load a job's code while its tasks are still being planned. */
export function startThreads(job: string, count: number): void {
  if (import.meta.url.endsWith('.ts')) return;
  for (let i = waiting.length; i < count; i++) putAside({ worker: startThread(job), job, isKept: false });
}

/** Those that were started for a job and are not in use yet. */
export const startedThreads = (job: string): Worker[] =>
  waiting.filter((entry) => !entry.isKept && entry.job === job).map(({ worker }) => worker);

/**
 * Has one end that is not needed after all. It is told, not stopped: the runtime aborts the process where a thread is stopped
 * while it opens a model.
 */
export function endThread(worker: Worker): void {
  const ended = new Promise((resolve) => worker.once('exit', resolve)).finally(() => ending.delete(ended));
  ending.add(ended);
  worker.ref();
  worker.postMessage({ kind: 'end' });
  const at = waiting.findIndex((entry) => entry.worker === worker);
  if (at >= 0) waiting.splice(at, 1);
}

/**
 * A thread for a job, with no listener: at best one that has its code already, else the last given back, which has
 * computed longest.
 */
export function takeThread(job: string): Worker {
  const own = waiting.findIndex((entry) => entry.job === job);
  const at = own >= 0 ? own : waiting.findLastIndex(({ isKept }) => isKept);
  if (at < 0) return startThread(job);
  const [{ worker }] = waiting.splice(at, 1);
  stopListening(worker);
  worker.ref();
  return worker;
}

/** Whether threads whose job is done should be given back instead of ended. */
export const areThreadsKept = (): boolean => keepers > 0;

/** For the next job: starting a thread and warming its code takes as long as hundreds of answers of a small network. */
export const giveThreadBack = (worker: Worker, job: string): void => putAside({ worker, job, isKept: true });

/** While `work` is under way, a job is done by the threads of the one before it. They end with it. */
export async function keepThreadsWhile<Result>(work: () => Promise<Result>): Promise<Result> {
  keepers++;
  try {
    return await work();
  } finally {
    keepers--;
    if (!keepers) await endWaitingThreads();
  }
}

/** Also those that were never used: a process that leaves while one opens a model is aborted by the runtime. */
async function endWaitingThreads(): Promise<void> {
  for (const { worker } of [...waiting]) endThread(worker);
  await Promise.all(ending);
}

/**
 * The heap that a thread starts with. Pixel buffers lie outside of it but count towards it: with a small heap V8 would
 * collect all of it after every few pictures, in helper threads that take their time from the work.
 */
const firstHeapMb = 64;
/**
 * Short-lived objects are freed by small collections, and with them what the decoder gave: often, so that it does not pile up.
 * Hardly anything of a photograph outlives one, so that often costs little.
 */
const youngHeapMb = 12;

function startThread(job: string): Worker {
  setFlagsFromString(`--initial-old-space-size=${firstHeapMb}`);
  const resourceLimits = { maxYoungGenerationSizeMb: youngHeapMb };
  return new Worker(new URL('./worker.js', import.meta.url), { workerData: { job, decoderTurns }, resourceLimits });
}
