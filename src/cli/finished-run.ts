import { resolve } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { expected } from '../contracts/errors.ts';
import { readRunRecord } from '../run/folder/index.ts';
import { loadedPlugins, type PluginFile } from '../run/plugins/load.ts';
import { parseConfig } from '../run/settings.ts';
import { borderTrials } from '../scenarios/paste.ts';

export interface FinishedRun {
  readonly folder: string;
  readonly config: Config;
  /** Of the images, masks and labels, as the run saw them. */
  readonly dataHash: string | undefined;
  readonly scenarios: readonly string[];
  readonly models: readonly string[];
}

/** What `run.json` says of a run that is to be asked again. */
export async function readFinishedRun(folder: string): Promise<FinishedRun> {
  const run = resolve(folder);
  const { config, data, scenarios, models, plugins = [] } = await readRunRecord(run);
  checkPlugins(folder, plugins);
  const trials = borderTrials(scenarios);
  return {
    folder: run,
    config: { ...parseConfig(config, `${folder}/run.json`), plugins: [] },
    dataHash: data?.hash,
    scenarios: scenarios.filter((name) => !trials.has(name)),
    models: models.map(({ name }) => name),
  };
}

/** A run folder may come from elsewhere, so the code it names is not run unless the user names it too. */
function checkPlugins(folder: string, plugins: readonly PluginFile[]): void {
  for (const { file, hash } of plugins) {
    const named = loadedPlugins().some((plugin) => plugin.hash === hash);
    if (!named) throw expected('the plugin it was made with', folder, undefined, `give --plugin ${file}, unchanged`);
  }
}
