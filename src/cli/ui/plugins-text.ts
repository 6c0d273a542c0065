import { basename } from 'node:path';
import { loadedPlugins } from '../../run/plugins/load.ts';

/** What the plugins of this call add, one line each; empty where there are none. */
export const pluginsText = (): string =>
  loadedPlugins()
    .map(({ file, scenarios, readers, models }) => {
      const added = [
        ...scenarios.map(({ id, part }) => `scenario ${id} (${part})`),
        ...readers.map(({ id }) => `layout ${id}`),
        ...models.map(({ id }) => `model kind ${id}`),
      ];
      return `plugin ${basename(file)} adds ${added.join(', ')}`;
    })
    .join('\n');
