import { defineConfig } from 'vitest/config';

const globalSetup = ['test/support/temporary-folder.ts', 'test/support/kernels.ts'];
/** Limits are there to catch hangs; a busy machine takes its time. */
const minutes = (count: number) => ({ testTimeout: count * 60_000, hookTimeout: count * 60_000 });

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup,
          include: ['src/**/*.test.ts', 'test/golden/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
          ...minutes(5),
        },
      },
      {
        test: {
          // Runs the built command line in child processes; needs `npm run build` first.
          name: 'e2e',
          globalSetup,
          include: ['test/e2e/**/*.test.ts', 'test/chaos/**/*.test.ts'],
          ...minutes(20),
          fileParallelism: false,
        },
      },
    ],
  },
});
