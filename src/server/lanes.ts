import type { Job } from '../run/jobs.ts';
import { createPool, type WorkerPool } from '../run/pool.ts';

export interface LaneOptions<Result> {
  /** Aborted before the task begins: it is never begun, and the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told of parts that the job hands over before its end, and of the end. */
  readonly onPart?: (part: Result) => void;
  /** Nobody waits for the result yet: the task is begun when no other is waiting. */
  readonly canWait?: boolean;
}

/** Threads that answer one question at a time as they come, unlike a pool, which works through a list. */
export interface Lanes<Task, Result> {
  run(task: Task, options?: LaneOptions<Result>): Promise<Result>;
  /** Questions that someone waits for, in hand or in line. */
  readonly busy: number;
  close(): Promise<void>;
}

interface Waiting<Task, Result> {
  begin(pool: WorkerPool<Task, Result>): void;
}

export async function openLanes<Init, Task, Result>(
  job: Job<Init, Task, Result>,
  init: Init,
  count: number,
): Promise<Lanes<Task, Result>> {
  const pools = await Promise.all(Array.from({ length: count }, () => createPool(job, init, { threads: 1 })));
  const free: WorkerPool<Task, Result>[] = [...pools];
  // The oldest question first: a browser asks a few at a time and forgets by itself what has been scrolled past.
  const urgent: Waiting<Task, Result>[] = [];
  const patient: Waiting<Task, Result>[] = [];
  let [inHand, patientInHand] = [0, 0];
  const mostPatient = Math.max(1, Math.floor(count / 2));
  const next = () => {
    // What can wait leaves room: for what will be asked next, and for the thread that answers.
    const mayBegin = () => urgent.length > 0 || (patient.length > 0 && patientInHand < mostPatient);
    while (free.length && mayBegin()) {
      const pool = free.pop() as WorkerPool<Task, Result>;
      (urgent.shift() ?? patient.shift())?.begin(pool);
    }
  };
  return {
    get busy() {
      return urgent.length + inHand;
    },
    run: (task, { signal, onPart, canWait = false } = {}) =>
      new Promise((resolve, reject) => {
        const line = canWait ? patient : urgent;
        const giveUp = () => {
          const place = line.indexOf(entry);
          if (place < 0) return;
          line.splice(place, 1);
          reject(signal?.reason);
        };
        const entry: Waiting<Task, Result> = {
          begin(pool) {
            signal?.removeEventListener('abort', giveUp);
            if (canWait) patientInHand++;
            else inHand++;
            let last: Result | undefined;
            pool
              .forEach([task], (result) => {
                onPart?.(result);
                last = result;
              })
              .then(() => resolve(last as Result), reject)
              .finally(() => {
                if (canWait) patientInHand--;
                else inHand--;
                free.push(pool);
                next();
              });
          },
        };
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener('abort', giveUp, { once: true });
        line.push(entry);
        next();
      }),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
