import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SaliencyIndex, type SaliencyRow, saliencyIndexSchema } from '../contracts/saliency.ts';
import { queryShards } from '../run/query-shards.ts';

export interface Saliency {
  readonly index: SaliencyIndex;
  readonly rows: readonly SaliencyRow[];
}

/** What `explain` left in a run folder: the rows of its last selection, in a fixed order; null where there is nothing. */
export async function readSaliency(run: string): Promise<Saliency | null> {
  const text = await readFile(join(run, 'saliency', 'index.json'), 'utf8').catch(() => undefined);
  const index = text === undefined ? undefined : saliencyIndexSchema.safeParse(JSON.parse(text)).data;
  if (!index) return null;
  const found = await queryShards(
    run,
    'saliency',
    (shards) => `SELECT * EXCLUDE (unit, source) FROM ${shards}
       QUALIFY row_number() OVER (PARTITION BY unit, sample) = 1 ORDER BY model, scenario, sample`,
  );
  if (!found) return null;
  const rows = found.getRowObjectsJS() as unknown as SaliencyRow[];
  const [samples, scenarios] = [new Set(index.samples), new Set(index.scenarios)];
  const methods = new Map(index.models.map(({ model, method }) => [model, method]));
  return {
    index,
    rows: rows.filter(
      ({ model, scenario, sample, method }) =>
        samples.has(sample) && scenarios.has(scenario) && methods.get(model) === method,
    ),
  };
}
