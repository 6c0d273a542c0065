import type { Redis } from 'ioredis';
import { UserError } from '../../contracts/errors.ts';
import { saysStorageAway } from '../../storage/patience.ts';
import { troubleKey } from './keys.ts';

/**
 * A worker cannot do a chunk for a reason of its own machine: the chunk goes to another worker and does not lose a try.
 */
export class WorkerTrouble extends Error {}

const ownCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM']);

/** The message of an error of this machine (its disk, its limits); undefined where the chunk itself is at fault. */
export function machineTrouble(error: unknown): string | undefined {
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  if (saysStorageAway(error)) return message;
  const [, named] = /^(E[A-Z]+): /.exec(message) ?? [];
  if ([code, named].some((one) => one === 'ENOSPC' || one === 'EDQUOT') || /No space left on device/.test(message))
    return "this worker's disk is full";
  return [code, named].some((one) => one !== undefined && ownCodes.has(one)) ? message.split('\n')[0] : undefined;
}

/**
 * A worker's report of trouble expires after this: a worker that still has it reports again, one that is gone does not.
 */
const troubleSeconds = 300;

/** A worker with trouble tries again after so long. */
const againMs = 10_000;

/** The worker's side: what it cannot do at the moment, by assignment, and why. */
export function createOwnTroubles(redis: Redis, worker: string) {
  const lines = new Map<string, { readonly line: string; readonly since: number }>();
  const end = async (assignment: string) => {
    if (lines.delete(assignment)) await redis.hdel(troubleKey(assignment), worker);
  };
  return {
    of: (assignment: string) => lines.get(assignment)?.line,
    /** One that was met lately; a run that has ended asks nobody again. */
    any: () => [...lines.values()].find(({ since }) => Date.now() - since < 1000 * troubleSeconds)?.line,
    /** It was met a moment ago: nothing of the assignment is taken. */
    isRecent: (assignment: string) => Date.now() - (lines.get(assignment)?.since ?? 0) < againMs,
    async begin(assignment: string, line: string) {
      lines.set(assignment, { line, since: Date.now() });
      await redis.hset(troubleKey(assignment), worker, line);
      await redis.expire(troubleKey(assignment), troubleSeconds);
    },
    end,
    endAll: async () => {
      for (const assignment of lines.keys()) await end(assignment);
    },
  };
}

export interface TroubleWatch {
  /**
   * Reports each trouble once, and that no worker is there; throws where all workers that are connected have had trouble for a
   * while.
   */
  look(workers: readonly string[]): Promise<void>;
}

/** How long to wait while every worker has trouble: another worker may be about to connect. */
const patienceMs = 20_000;
/** Workers come late, or have all ended: whoever waits for them is told after this. */
const loneMs = 10_000;

export function watchTrouble(redis: Redis, assignment: string, onTrouble?: (line: string) => void): TroubleWatch {
  const told = new Set<string>();
  let hopelessSince: number | undefined;
  let alone: { readonly since: number; told: boolean } | undefined;
  const lookForWorkers = (workers: readonly string[]) => {
    alone = workers.length ? undefined : (alone ?? { since: Date.now(), told: false });
    if (!alone || alone.told || Date.now() - alone.since < loneMs) return;
    alone.told = true;
    onTrouble?.('no worker is there; the work waits for one: sceneshift worker --queue URL --root DIR');
  };
  return {
    async look(workers) {
      lookForWorkers(workers);
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
