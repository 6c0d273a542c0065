import type { Job } from './jobs.ts';

type AnyJob = Job<never, never, unknown>;

/** The jobs a worker thread knows, loaded when first asked for. */
export const jobs: Record<string, () => Promise<AnyJob>> = {
  render: async () => (await import('./render-job.ts')).renderJob as AnyJob,
  masks: async () => (await import('./masks-job.ts')).masksJob as AnyJob,
  pictures: async () => (await import('./pictures-job.ts')).picturesJob as AnyJob,
  predict: async () => (await import('./predict-job.ts')).predictJob as AnyJob,
};
