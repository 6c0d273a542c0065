import { type SaliencyIndex, type SaliencyRow, saliencyIndexSchema } from '../contracts/saliency.ts';
import { readDocument, withRunFolder } from '../run/folder/index.ts';

export interface Saliency {
  readonly index: SaliencyIndex;
  readonly rows: readonly SaliencyRow[];
}

/** What `explain` left in a run folder: the rows of its last selection, in a fixed order; null where there is nothing. */
export const readSaliency = (run: string): Promise<Saliency | null> =>
  withRunFolder(run, async (folder) => {
    const remedy = 'sceneshift explain writes it again';
    const index = await readDocument(run, 'saliency/index.json', saliencyIndexSchema, { remedy });
    if (!index || !folder.tables.has('saliency')) return null;
    const rows = await folder.rows('saliency');
    const [samples, scenarios] = [new Set(index.samples), new Set(index.scenarios)];
    const methods = new Map(index.models.map(({ model, method }) => [model, method]));
    return {
      index,
      rows: rows.filter(
        ({ model, scenario, sample, method }) =>
          samples.has(sample) && scenarios.has(scenario) && methods.get(model) === method,
      ),
    };
  });
