import { isMainThread, workerData } from 'node:worker_threads';

/**
 * libvips writes why it fails into one buffer for the whole process, which every call of sharp empties: where two are under way, the
 * reason of one is told of the other, or none. So calls are made beside each other, and one that fails again alone, for its reason.
 */
export const decoderTurns: SharedArrayBuffer =
  !isMainThread && workerData?.decoderTurns instanceof SharedArrayBuffer
    ? workerData.decoderTurns
    : new SharedArrayBuffer(8);
const turns = new Int32Array(decoderTurns);
/** How many calls are under way. */
const beside = 0;
/** 1: one is made alone, or waits until it is. */
const taken = 1;

/** What a thread holds that ended meanwhile is not waited for: at worst a reason is another's. */
const patienceMs = 20_000;

async function untilFree(place: number, isFree: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; !isFree(); ) {
    if (Date.now() > end) Atomics.store(turns, place, 0);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export async function besideOthers<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const isTaken = () => Atomics.load(turns, taken) === 1;
  for (;;) {
    // Counted first: one that looks whether it is alone must not miss it.
    Atomics.add(turns, beside, 1);
    if (!isTaken()) break;
    Atomics.sub(turns, beside, 1);
    await untilFree(taken, () => !isTaken());
  }
  try {
    return await work();
  } finally {
    Atomics.sub(turns, beside, 1);
  }
}

export async function alone<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  await untilFree(taken, () => Atomics.compareExchange(turns, taken, 0, 1) === 0);
  try {
    await untilFree(beside, () => Atomics.load(turns, beside) <= 0);
    return await work();
  } finally {
    Atomics.store(turns, taken, 0);
  }
}
