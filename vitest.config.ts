import { defineConfig } from 'vitest/config';

const globalSetup = ['test/support/temporary-folder.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup,
          include: ['src/**/*.test.ts', 'test/golden/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Runs the built command line in child processes; needs `npm run build` first.
          name: 'e2e',
          globalSetup,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
