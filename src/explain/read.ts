import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SaliencyIndex, type SaliencyRow, saliencyIndexSchema } from '../contracts/saliency.ts';

export interface Saliency {
  readonly index: SaliencyIndex;
  readonly rows: readonly SaliencyRow[];
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What `explain` left in a run folder: the rows of its last selection, in a fixed order; null where there is nothing. */
export async function readSaliency(run: string): Promise<Saliency | null> {
  const folder = join(run, 'saliency');
  const text = await readFile(join(folder, 'index.json'), 'utf8').catch(() => undefined);
  const index = text === undefined ? undefined : saliencyIndexSchema.safeParse(JSON.parse(text)).data;
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.parquet'));
  if (!index || !names.length) return null;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const files = names.sort().map((name) => quote(join(folder, name)));
    // A kill while a shard is replaced leaves rows twice.
    const reader = await connection.runAndReadAll(
      `SELECT * EXCLUDE (unit, source) FROM read_parquet([${files.join(', ')}])
       QUALIFY row_number() OVER (PARTITION BY unit, sample) = 1 ORDER BY model, scenario, sample`,
    );
    const rows = reader.getRowObjectsJS() as unknown as SaliencyRow[];
    const [samples, scenarios] = [new Set(index.samples), new Set(index.scenarios)];
    const methods = new Map(index.models.map(({ model, method }) => [model, method]));
    return {
      index,
      rows: rows.filter(
        ({ model, scenario, sample, method }) =>
          samples.has(sample) && scenarios.has(scenario) && methods.get(model) === method,
      ),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
