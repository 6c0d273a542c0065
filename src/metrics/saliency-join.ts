import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saliencyIndexSchema } from '../contracts/saliency.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Measures of `explain` as columns of the predictions, by the names they have there. */
const columns = {
  reliance: 'reliance',
  shareOnObject: 'shareOnObject',
  energyRatio: 'energyRatio',
  pointing: 'pointing',
  saliencyIou: 'iou',
  deletion: 'deletion',
  insertion: 'insertion',
} as const;

/**
 * Statements that lay what `explain` found beside each answer, as variables for the regression; `relianceOriginal` is the
 * same model's and image's reliance on `original`. Answers that were not explained have none. Empty: nothing was explained.
 */
export async function saliencyJoin(run: string): Promise<string[]> {
  const folder = join(run, 'saliency');
  const text = await readFile(join(folder, 'index.json'), 'utf8').catch(() => undefined);
  const index = text === undefined ? undefined : saliencyIndexSchema.safeParse(JSON.parse(text)).data;
  const files = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.parquet')).sort();
  if (!index || !files.length) return [];
  const list = files.map((name) => quote(join(folder, name))).join(', ');
  // Rows of earlier selections stay in the folder; only the last one is what the index says it is.
  const samples = index.samples.map((sample) => `(${quote(sample)})`).join(', ');
  const chosen = Object.entries(columns).map(([name, column]) => `s."${column}" AS "${name}"`);
  return [
    `CREATE TABLE explained AS SELECT * FROM read_parquet([${list}])
     WHERE sample IN (SELECT * FROM (VALUES ${samples}))
     QUALIFY row_number() OVER (PARTITION BY model, scenario, sample) = 1`,
    `CREATE OR REPLACE TABLE p AS SELECT p.*, ${chosen.join(', ')}, o.reliance AS "relianceOriginal" FROM p
     LEFT JOIN explained AS s
       ON s.model = p.model AND s.scenario = p.scenario AND s.sample = p.sample AND p.trained = ''
     LEFT JOIN explained AS o
       ON o.model = p.model AND o.scenario = 'original' AND o.sample = p.sample AND p.trained = ''
     ORDER BY p.rowid`,
  ];
}
