import { type ExportedComparison, swapSides } from '../../../src/contracts/studio/exported-comparison.ts';
import { readData } from './read-data.ts';
import { prepareStatic } from './static-run-data.ts';

/** The models of a run that an exported site compares. */
export const staticComparedModels = (run: string): Promise<string[]> => readData([run, 'compare', 'models.json']);

export async function staticComparison(run: string, modelA: string, modelB: string): Promise<ExportedComparison> {
  await prepareStatic(run);
  const models = await staticComparedModels(run);
  const [a, b] = [models.indexOf(modelA), models.indexOf(modelB)];
  if (a < 0 || b < 0) throw new Error(`This site does not compare ${a < 0 ? modelA : modelB}`);
  const pair = await readData<ExportedComparison>([run, 'compare', `${Math.min(a, b)}-${Math.max(a, b)}.json`]);
  return a < b ? pair : swapSides(pair);
}
