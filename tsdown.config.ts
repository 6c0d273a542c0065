import { defineConfig } from 'tsdown';

const common = { format: 'esm', platform: 'node', target: 'node20.19', fixedExtension: false } as const;

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      cli: 'src/cli/main.ts',
      supervise: 'src/cli/supervise.ts',
      worker: 'src/worker.ts',
    },
    // Hundreds of small files that every command and every thread would open one by one.
    deps: {
      alwaysBundle: ['zod', '@observablehq/plot', 'linkedom', 'yaml', '@duckdb/node-api'],
      neverBundle: ['@duckdb/node-bindings'],
      onlyBundle: false,
    },
    dts: false,
    clean: true,
  },
  // The types name zod's own, so that a program may pass schemas of its own copy.
  { ...common, entry: { index: 'src/index.ts' }, dts: { emitDtsOnly: true }, clean: false },
]);
