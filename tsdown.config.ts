import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'tsdown';

const common = { format: 'esm', platform: 'node', target: 'node20.19', fixedExtension: false } as const;

/**
 * Programs that use the library get all of zod, from the package; our own part of it is a third, without fifty languages'
 * messages. Both work together: a program may pass schemas of any copy.
 */
const zodOfPrograms = {
  name: 'zod-of-programs',
  resolveId(source: string, importer: string | undefined) {
    if (source === 'zod' && importer && /[\\/]src[\\/]index\.ts$/.test(importer)) return { id: source, external: true };
  },
};

/** TypeScript 7 writes the declarations in a third of the time that 5 takes. Its package says where its program is, not to everybody. */
const typescript: { default(): string } = await import(
  pathToFileURL(resolve('node_modules', 'typescript-7', 'lib', 'getExePath.js')).href
);

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What a file needs before it runs, itself included. */
function needs(ids: readonly string[], modules: Modules, found = new Set<string>()): Set<string> {
  for (const id of ids) if (!found.has(id)) needs(modules.getModuleInfo(id)?.importedIds ?? [], modules, found.add(id));
  return found;
}

const start = ['main', 'supervise'].map((name) => resolve('src', 'cli', `${name}.ts`));
let ofStart: { readonly name: string; readonly ids: Set<string> }[] | undefined;
/**
 * Opening a file costs every command and every thread a millisecond: what most of them need is one. What starts them is not
 * among it, nor together: reading the journal of the watching process (in-hand.ts) takes it out of the environment, in which
 * main.ts looks for it first.
 */
const ofMost = {
  test: /[\\/](src|zod)[\\/]/,
  minShareCount: 12,
  name(id: string, modules: Modules) {
    ofStart ??= start.map((file) => ({ name: basename(file, '.ts'), ids: needs([file], modules) }));
    return ofStart.find(({ ids }) => ids.has(id))?.name ?? 'most';
  },
};

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
    // Half of what a command waits for before it works is reading its code. Names stay: --debug shows them.
    minify: { compress: false, mangle: false, codegen: true },
    plugins: [zodOfPrograms],
    outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups: [ofMost] } },
    dts: false,
    clean: true,
  },
  // The types name zod's own, so that a program may pass schemas of its own copy.
  {
    ...common,
    entry: { index: 'src/index.ts' },
    tsconfig: 'tsconfig.declarations.json',
    dts: { emitDtsOnly: true, tsgo: { path: typescript.default() } },
    clean: false,
  },
]);
