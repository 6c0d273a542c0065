import type { AnyJob } from './worker.ts';

/** The jobs of this folder, loaded when first asked for; `src/worker.ts` adds those of the folders above it. */
export const runJobs: Record<string, () => Promise<AnyJob>> = {
  render: async () => (await import('./render-job.ts')).renderJob as AnyJob,
  masks: async () => (await import('./masks-job.ts')).masksJob as AnyJob,
  pictures: async () => (await import('./pictures-job.ts')).picturesJob as AnyJob,
  'look-through': async () => (await import('./look-through-job.ts')).lookThroughJob as AnyJob,
  predict: async () => (await import('./predict-job.ts')).predictJob as AnyJob,
};
