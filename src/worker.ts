import { runJobs } from './run/job-list.ts';
import { type AnyJob, serveJobs } from './run/worker.ts';
import { trainJobs } from './train/jobs.ts';

// What `createPool` starts in every thread. It stands above the folders, because a job may belong to any of them.
await serveJobs({
  ...runJobs,
  ...trainJobs,
  'studio-variant': async () => (await import('./server/variant-job.ts')).variantJob as AnyJob,
  'studio-columns': async () => (await import('./server/columns-job.ts')).columnsJob as AnyJob,
  'studio-layout': async () => (await import('./server/map/layout-job.ts')).layoutJob as AnyJob,
  'studio-annotate': async () => (await import('./server/annotate/annotate-job.ts')).annotateJob as AnyJob,
  'studio-edit': async () => (await import('./server/try/edit-job.ts')).editJob as AnyJob,
  'studio-answers': async () => (await import('./server/try/answer-job.ts')).answerJob as AnyJob,
  explain: async () => (await import('./explain/explain-job.ts')).explainJob as AnyJob,
});
