import type { Config } from '../contracts/config.ts';
import { expected } from '../contracts/errors.ts';
import type { Dataset } from '../contracts/sample.ts';
import { readDataset } from '../dataset/index.ts';
import { loadPlugins } from './plugins/load.ts';

/** The settings that say where samples, labels and masks are. */
export type DatasetSettings = Partial<Pick<Config, 'data' | 'layout' | 'masks' | 'objects' | 'labelFrom' | 'plugins'>>;

/**
 * The dataset that settings name, for every command: plugins first, whose layouts may be what is named.
 * `layoutOption`: what the caller calls the layout, for messages.
 */
export async function openConfiguredDataset(
  { data, layout, masks, objects, labelFrom, plugins = [] }: DatasetSettings,
  { layoutOption }: { readonly layoutOption?: string } = {},
): Promise<Dataset> {
  await loadPlugins(plugins);
  if (!data) throw expected('a dataset', '--data', undefined);
  return readDataset(data, { layout, masks, objects, labelFrom, layoutOption });
}
