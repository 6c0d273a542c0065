import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../contracts/errors.ts';
import { type Reader, registerReaders } from '../../dataset/index.ts';
import type { ModelKind } from '../../models/define.ts';
import { addModelKind } from '../../models/kinds/index.ts';
import { registerScenarios, type Scenario } from '../../scenarios/registry.ts';
import { hashFile } from '../hash.ts';
import { checkModelKind, sortExports } from './exports.ts';
import { resolveOwnName } from './resolve-own-name.ts';

/** A module from outside, and what it adds. */
export interface Plugin {
  /** Absolute. */
  readonly file: string;
  readonly hash: string;
  readonly scenarios: readonly Scenario[];
  readonly readers: readonly Reader[];
  readonly models: readonly ModelKind[];
}

/** What a worker thread needs to load the same plugin. */
export interface PluginFile {
  readonly file: string;
  readonly hash: string;
}

const loaded = new Map<string, Plugin>();

/** Every plugin of this thread, in the order they came. */
export const loadedPlugins = (): readonly Plugin[] => [...loaded.values()];

export const pluginFiles = (): PluginFile[] => loadedPlugins().map(({ file, hash }) => ({ file, hash }));

/** The code behind a scenario or model kind that a plugin brought; undefined: it is built in. */
export function pluginHashOf(declaration: Scenario | ModelKind): string | undefined {
  const from = loadedPlugins().find(
    ({ scenarios, models }) => scenarios.includes(declaration as Scenario) || models.includes(declaration as ModelKind),
  );
  return from?.hash;
}

/** Loads modules and registers what they export; before any name is parsed, in every thread. A file counts once. */
export async function loadPlugins(files: readonly string[]): Promise<void> {
  for (const file of files) await loadPlugin(resolve(file));
}

/** In a worker: the plugins of the main thread, which must still be the same files. */
export async function loadSamePlugins(files: readonly PluginFile[]): Promise<void> {
  for (const { file, hash } of files) {
    const { hash: now } = await loadPlugin(file);
    if (now !== hash) throw new UserError(`The plugin ${file} was changed while it was in use; start again`);
  }
}

async function loadPlugin(file: string): Promise<Plugin> {
  const known = loaded.get(file);
  if (known) return known;
  const hash = await hashFile(file).catch((cause: Error) => {
    throw new UserError(`Cannot read the plugin ${file}: ${cause.message}`);
  });
  await resolveOwnName();
  const module: Record<string, unknown> = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new UserError(`The plugin ${file} cannot be loaded: ${firstLine(cause)}`);
  });
  const plugin = { file, hash, ...sortExports(module, file) };
  try {
    registerScenarios(plugin.scenarios);
    registerReaders(plugin.readers);
    for (const kind of plugin.models) {
      checkModelKind(kind);
      addModelKind(kind);
    }
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`The plugin ${basename(file)}: ${error.message}`);
    throw error;
  }
  loaded.set(file, plugin);
  return plugin;
}

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).split('\n')[0];
