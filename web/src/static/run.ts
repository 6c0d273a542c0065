import type { RunSummary } from '../../../src/contracts/studio/runs.ts';
import { readData } from './read-data.ts';

/** What an exported site says of its runs. */
export const staticRuns = (): Promise<RunSummary[]> => readData(['runs.json']);

export async function staticRun(id: string): Promise<RunSummary> {
  const found = (await staticRuns()).find((run) => run.id === id);
  if (!found) throw new Error(`There is no run '${id}' here`);
  return found;
}
