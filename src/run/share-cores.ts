import { totalmem } from 'node:os';
import type { PlanInput } from './plan.ts';

/** A loaded model takes about three times its file with its working memory; half the machine is left to others. */
export const copiesFor = (bytes: number): number =>
  bytes ? Math.max(1, Math.floor(totalmem() / 2 / (3 * bytes))) : Number.POSITIVE_INFINITY;

/**
 * Tasks that a thread holds at a time, so that it can go on while the main thread is busy and read one while it computes
 * another. Where there are few for each thread, the last ones must go to whichever is free.
 */
export const tasksAhead = (tasks: number, threads: number): number =>
  Math.max(1, Math.min(3, Math.floor(tasks / (3 * threads))));

/** Worker threads and threads of the runtime together never exceed the cores; big models get fewer copies. */
export function shareCores({ threads, models }: Pick<PlanInput, 'models'> & { readonly threads: number }): {
  workers: number;
  threadsPerModel: number;
} {
  const bytes = models.reduce((sum, { description }) => sum + Number(description.identity.bytes ?? 0), 0);
  const workers = Math.max(1, Math.min(threads, copiesFor(bytes)));
  return { workers, threadsPerModel: Math.max(1, Math.floor(threads / workers)) };
}
