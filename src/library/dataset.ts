import type { Config } from '../contracts/config.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { objectChoices } from '../dataset/define.ts';
import type { ReadDatasetOptions } from '../dataset/read.ts';
import { openConfiguredDataset } from '../run/configured-dataset.ts';
import { photographOptions } from '../run/inputs.ts';
import { loadPhotograph, type Photograph } from '../run/photograph.ts';
import { parseConfig } from '../run/settings.ts';
import { checkChoice, checkPath } from './check.ts';

/** How a dataset is read, in the words of the config. */
export interface OpenDatasetOptions
  extends Omit<ReadDatasetOptions, 'layoutOption'>,
    Partial<Pick<Config, 'border' | 'edges' | 'growMask' | 'editDefects' | 'decode' | 'maxPixels'>> {}

export interface OpenedDataset extends Dataset {
  /** The pixels of a sample and where its object is, read as a run reads them. */
  load(sample: Sample): Promise<Photograph>;
}

/** Finds the layout, the images, their labels and masks, as `--data` does. */
export async function openDataset(path: string, options: OpenDatasetOptions = {}): Promise<OpenedDataset> {
  checkPath(path, 'the dataset');
  const { layout, masks, labelFrom, objects, ...reading } = options;
  if (masks !== undefined) checkPath(masks, 'masks');
  checkChoice(objects, objectChoices, 'objects');
  const photographs = photographOptions(parseConfig(reading, 'openDataset'));
  const dataset = await openConfiguredDataset(
    { data: path, layout, masks, labelFrom, objects },
    { layoutOption: 'layout' },
  );
  return { ...dataset, load: (sample) => loadPhotograph(sample, photographs) };
}
