import type { AnyJob } from '../run/worker.ts';

/** The jobs of this folder, loaded when first asked for. */
export const trainJobs: Record<string, () => Promise<AnyJob>> = {
  features: async () => (await import('./feature-job.ts')).featureJob as AnyJob,
  fit: async () => (await import('./fit-job.ts')).fitJob as AnyJob,
  views: async () => (await import('./remedies/views-job.ts')).viewsJob as AnyJob,
};
