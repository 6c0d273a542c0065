import { describeSample } from '../../../src/contracts/explore/sample.ts';
import type { SamplePage } from '../../../src/contracts/studio/sample.ts';
import { prepareStatic, staticColumns } from './static-run-data.ts';

/** What an exported site knows of one sample. */
export async function staticSample(run: string, id: string): Promise<SamplePage> {
  await prepareStatic(run);
  const page = describeSample(await staticColumns(run), id);
  if (!page) throw new Error(`The run has no sample ${id}`);
  return { ...page, saliency: [] };
}
