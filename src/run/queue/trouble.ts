import type { Redis } from 'ioredis';
import { UserError } from '../../contracts/errors.ts';
import { saysStorageAway } from '../../storage/patience.ts';
import { troubleKey } from './keys.ts';

/** What a worker cannot do for a reason of its own: the chunk is not to blame, and goes to another without losing a try. */
export class WorkerTrouble extends Error {}

const ownCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM']);

/** The line for an error of this machine's own (its disk, its limits); undefined: the chunk's. */
export function machineTrouble(error: unknown): string | undefined {
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  if (saysStorageAway(error)) return message;
  const [, named] = /^(E[A-Z]+): /.exec(message) ?? [];
  if ([code, named].some((one) => one === 'ENOSPC' || one === 'EDQUOT') || /No space left on device/.test(message))
    return "this worker's disk is full";
  return [code, named].some((one) => one !== undefined && ownCodes.has(one)) ? message.split('\n')[0] : undefined;
}

/** Seconds after which what a worker said of itself no longer counts: it says so again, or is gone. */
const troubleSeconds = 300;

export async function tellTrouble(redis: Redis, assignment: string, worker: string, reason: string): Promise<void> {
  await redis.hset(troubleKey(assignment), worker, reason);
  await redis.expire(troubleKey(assignment), troubleSeconds);
}

export const endTrouble = (redis: Redis, assignment: string, worker: string): Promise<unknown> =>
  redis.hdel(troubleKey(assignment), worker);

export interface TroubleWatch {
  /** Tells each trouble once; throws where nobody who is there can do the work, and that for a while. */
  look(workers: readonly string[]): Promise<void>;
}

/** How long a queue whose every worker has trouble is waited for: one that can may be on its way. */
const patienceMs = 20_000;

export function watchTrouble(redis: Redis, assignment: string, onTrouble?: (line: string) => void): TroubleWatch {
  const told = new Set<string>();
  let hopelessSince: number | undefined;
  return {
    async look(workers) {
      const troubles = await redis.hgetall(troubleKey(assignment));
      for (const [worker, reason] of Object.entries(troubles)) {
        const line = `worker ${worker}: ${reason}`;
        if (!told.has(line)) onTrouble?.(line);
        told.add(line);
      }
      const hopeless = workers.length > 0 && workers.every((worker) => worker in troubles);
      hopelessSince = hopeless ? (hopelessSince ?? Date.now()) : undefined;
      if (hopelessSince === undefined || Date.now() - hopelessSince < patienceMs) return;
      throw new UserError(
        `None of the ${workers.length} workers can do it: ${[...new Set(workers.map((worker) => troubles[worker]))].slice(0, 3).join(' · ')}`,
        { exitCode: 1 },
      );
    },
  };
}
