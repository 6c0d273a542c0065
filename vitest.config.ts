import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { areTranslated, nativeFolder, nativeSources } from './test/support/native-sources.ts';

/** In every process of tests. */
const setupFiles = ['test/support/equal-arrays.ts'];
const globalSetup = ['test/support/temporary-folder.ts', 'test/support/kernels.ts'];
/** Limits are there to catch hangs; a busy machine takes its time. */
const minutes = (count: number) => ({ testTimeout: count * 60_000, hookTimeout: count * 60_000 });

/** What takes longest or waits most comes first: begun last, it would leave cores idle at the end. The rest by size. */
const longest = [
  'e2e/demo',
  'e2e/queue',
  'e2e/studio-live',
  'e2e/s3',
  'e2e/shares',
  'e2e/native-crash',
  'e2e/interrupt',
  'chaos/short',
  'e2e/studio-annotate-kill',
  'e2e/studio',
  'e2e/recipes',
  'e2e/run',
  'e2e/mask',
  'fuzz/short',
  'golden/supply-chain',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** By whom sources are loaded. */
const plugins = areTranslated ? [nativeSources()] : [];
const server = { deps: { external: [nativeFolder] } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // By default one core is left free, which on two leaves one.
    maxWorkers: availableParallelism(),
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          server,
          globalSetup,
          setupFiles,
          include: ['src/**/*.test.ts', 'test/golden/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
          ...minutes(10),
          // Loading the sources anew for each of two hundred files took a third of the time. What a test changes for all
          // others it puts back, modules that it registered something with by vi.resetModules().
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          // Runs the built command line in child processes; needs `npm run build` first.
          name: 'e2e',
          server,
          globalSetup: [...globalSetup, 'test/support/unpack-browser.ts', 'test/support/warm-processes.ts'],
          setupFiles,
          include: ['test/e2e/**/*.test.ts', 'test/chaos/**/*.test.ts'],
          ...minutes(40),
          // As above: importing for each of forty files took 25 s of processor time.
          isolate: false,
          // Many of these wait for a queue, a browser or a slow program: others work meanwhile.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
