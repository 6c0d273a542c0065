/** So many tasks of one thread can be under way or given up at a time. */
const slots = 64;

/** Tells a thread that a task it is busy with is no longer wanted: a thread in the middle of one hears no messages. */
export interface CancelFlags {
  readonly buffer: SharedArrayBuffer;
  /** A number for a task that ends when `signal` does. */
  take(signal?: AbortSignal): number;
}

export function createCancelFlags(): CancelFlags {
  const buffer = new SharedArrayBuffer(4 * slots);
  const flags = new Int32Array(buffer);
  let count = 0;
  return {
    buffer,
    take(signal) {
      const task = ++count;
      const cancel = () => Atomics.store(flags, task % slots, task);
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
      return task;
    },
  };
}

export const isCancelled = (buffer: SharedArrayBuffer, task: number): boolean =>
  Atomics.load(new Int32Array(buffer), task % slots) === task;
