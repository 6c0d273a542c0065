import { totalmem } from 'node:os';
import type { PlanInput } from './plan.ts';

/** Worker threads and threads of the runtime together never exceed the cores; big models get fewer copies. */
export function shareCores({ threads, models }: Pick<PlanInput, 'models'> & { readonly threads: number }): {
  workers: number;
  threadsPerModel: number;
} {
  const bytes = models.reduce((sum, { description }) => sum + Number(description.identity.bytes ?? 0), 0);
  // A loaded model takes about three times its file with its working memory; half the machine is left to others.
  const copies = bytes ? Math.max(1, Math.floor(totalmem() / 2 / (3 * bytes))) : threads;
  const workers = Math.max(1, Math.min(threads, copies));
  return { workers, threadsPerModel: Math.max(1, Math.floor(threads / workers)) };
}
