import type { ModelDescription } from '../../models/define.ts';
import { kindOf } from '../../models/kinds/index.ts';
import { declarationOf } from '../../scenarios/registry.ts';
import { loadedPlugins, pluginHashOf } from './load.ts';

// What plugins add to identities. For what is built in that is nothing: the version of Sceneshift stands for its code.

const code = (hash: string | undefined): { code?: string } => (hash === undefined ? {} : { code: hash });

export function codeOfScenario(name: string): { code?: string } {
  const scenario = declarationOf(name);
  return code(scenario && pluginHashOf(scenario));
}

export function codeOfModel(description: ModelDescription): { modelCode?: string } {
  if (!loadedPlugins().length) return {};
  const hash = pluginHashOf(kindOf(description));
  return hash === undefined ? {} : { modelCode: hash };
}

/** For `run.json`. */
export const pluginsRecord = () =>
  loadedPlugins().length
    ? {
        plugins: loadedPlugins().map(({ file, hash, scenarios, readers, models }) => ({
          file,
          hash,
          scenarios: scenarios.map(({ id, part, contrived }) => ({ id, part, ...(contrived && { contrived }) })),
          readers: readers.map(({ id }) => id),
          models: models.map(({ id }) => id),
        })),
      }
    : {};
