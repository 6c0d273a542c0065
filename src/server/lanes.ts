import type { Job } from '../run/jobs.ts';
import { createPool, type WorkerPool } from '../run/pool.ts';

/** Threads that answer one question at a time as they come, unlike a pool, which works through a list. */
export interface Lanes<Task, Result> {
  run(task: Task): Promise<Result>;
  /** Questions in hand or waiting. */
  readonly busy: number;
  close(): Promise<void>;
}

export async function openLanes<Init, Task, Result>(
  job: Job<Init, Task, Result>,
  init: Init,
  count: number,
): Promise<Lanes<Task, Result>> {
  const pools = await Promise.all(Array.from({ length: count }, () => createPool(job, init, { threads: 1 })));
  const free: WorkerPool<Task, Result>[] = [...pools];
  const waiting: ((pool: WorkerPool<Task, Result>) => void)[] = [];
  // The oldest question first: a browser asks a few at a time and forgets by itself what has been scrolled past.
  const next = () => {
    while (free.length && waiting.length) waiting.shift()?.(free.pop() as WorkerPool<Task, Result>);
  };
  return {
    get busy() {
      return waiting.length + pools.length - free.length;
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        waiting.push((pool) =>
          pool
            .forEach([task], resolve)
            .catch(reject)
            .finally(() => {
              free.push(pool);
              next();
            }),
        );
        next();
      }),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
