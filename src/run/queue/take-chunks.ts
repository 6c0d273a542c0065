import { randomUUID } from 'node:crypto';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { assignmentOf, laneDepths, lanesToAsk, queueOf } from './lanes.ts';

/** Who has not said for this long that it lives is gone; what it had in hand goes to another. */
export const lockMs = 30_000;
const stalled = { stalledInterval: 10_000, maxStalledCount: 5 };
/** A worker that has been in one lane for this long asks whether another run needs it more. */
const longMs = 5 * 60_000;

export interface TakenChunk {
  readonly lane: string;
  readonly job: Job;
  readonly token: string;
  /** The worker is through with it, whatever became of it. */
  release(): void;
}

export interface TakerOptions {
  readonly redis: Redis;
  /** The worker's. */
  readonly name: string;
  readonly onError: (message: string) => void;
  /** How long it stays with what it has open while others wait. */
  readonly stayMs?: number;
}

/** Looks after a lane's chunks whose worker has gone, until it is closed. */
export function watchLane(redis: Redis, lane: string, onError: (message: string) => void, name?: string): Worker {
  const watch = new Worker(queueOf(lane), null, {
    connection: redis,
    autorun: false,
    lockDuration: lockMs,
    ...stalled,
    ...(name && { name }),
  });
  watch.on('error', (error) => onError(error.message));
  void watch.startStalledCheckTimer();
  return watch;
}

/** Takes chunks for a worker, of the lane that it has open as long as there are some. */
export function createTaker({ redis, name, onError, stayMs = longMs }: TakerOptions) {
  const open = new Map<string, { readonly worker: Worker; inHand: number }>();
  let own: { readonly lane: string; since: number } | undefined;

  const closeUnused = () => {
    for (const [lane, { worker, inHand }] of open) {
      if (inHand || lane === own?.lane) continue;
      open.delete(lane);
      void worker.close(true).catch(() => undefined);
    }
  };
  const from = async (lane: string): Promise<TakenChunk | undefined> => {
    const opened = open.get(lane) ?? { worker: watchLane(redis, lane, onError, name), inHand: 0 };
    open.set(lane, opened);
    // Counted before it comes: closed meanwhile, the lane would lose it.
    opened.inHand++;
    const token = randomUUID();
    let job: Job | undefined;
    try {
      job = await opened.worker.getNextJob(token, { block: false });
    } finally {
      if (!job) opened.inHand--;
    }
    if (!job) return undefined;
    if (own?.lane !== lane) own = { lane, since: Date.now() };
    const release = () => {
      opened.inHand--;
      closeUnused();
    };
    return { lane, job, token, release };
  };

  return {
    /** The next chunk; undefined where no lane has one that is not avoided. */
    async take(isAvoided: (assignment: string) => boolean): Promise<TakenChunk | undefined> {
      try {
        const isLong = own !== undefined && Date.now() - own.since > stayMs;
        if (own && !isLong && !isAvoided(assignmentOf(own.lane))) {
          const next = await from(own.lane);
          if (next) return next;
        }
        const inHand = new Map([...open].map(([lane, opened]) => [lane, opened.inHand]));
        const depths = (await laneDepths(redis)).filter(({ lane }) => !isAvoided(assignmentOf(lane)));
        for (const lane of lanesToAsk(depths, { lane: own?.lane, isLong, inHand })) {
          if (isLong && own?.lane === lane) own.since = Date.now();
          const next = await from(lane);
          if (next) return next;
        }
        return undefined;
      } finally {
        closeUnused();
      }
    },
    close() {
      own = undefined;
      for (const opened of open.values()) opened.inHand = 0;
      closeUnused();
    },
  };
}
