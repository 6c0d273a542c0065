import { runJobs } from './run/job-list.ts';
import { serveJobs } from './run/worker.ts';

// What `createPool` starts in every thread. It stands above the folders, because a job may belong to any of them.
await serveJobs({
  ...runJobs,
});
