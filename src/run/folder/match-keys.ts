import type { DuckDBConnection } from '@duckdb/node-api';
import { fillTable } from './fill-table.ts';

/** What a call wants, to be compared with what is stored. */
export interface WantedKeys {
  /** `scenario`: the one that its samples show already; empty: photographs. */
  readonly conditions: readonly { readonly condition: string; readonly scenario: string }[];
  readonly samples: readonly { readonly sample: string; readonly scenario: string; readonly sampleHash: string }[];
  /** Whether a sample that is not wanted now still belongs to the dataset. */
  isKnown(sample: string): boolean;
}

export interface StaleKey {
  readonly condition: string;
  readonly sample: string;
}

/**
 * Compares the stored rows of the wanted conditions with what is wanted. Rows that still hold are visited, by their
 * places among the wanted ones; rows of changed pictures and of unknown samples are returned. DuckDB does the
 * comparing, since handing over a million rows of text takes longer than everything else together.
 */
export async function matchKeys(
  connection: DuckDBConnection,
  stored: string,
  { conditions, samples, isKnown }: WantedKeys,
  visit: (condition: number, sample: number) => void,
): Promise<StaleKey[]> {
  await fillTable(
    connection,
    'wantedConditions',
    [
      ['place', 'INTEGER'],
      ['condition', 'VARCHAR'],
      ['scenario', 'VARCHAR'],
    ],
    conditions.map(({ condition, scenario }, i) => [i, condition, scenario]),
  );
  await fillTable(
    connection,
    'wantedSamples',
    [
      ['place', 'INTEGER'],
      ['sample', 'VARCHAR'],
      ['scenario', 'VARCHAR'],
      ['sampleHash', 'VARCHAR'],
    ],
    samples.map(({ sample, scenario, sampleHash }, i) => [i, sample, scenario, sampleHash]),
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE matched AS
    SELECT c.place AS condition, s.place AS sample, s.sampleHash = r.sampleHash AS holds,
      CASE WHEN s.place IS NULL THEN r.sample END AS unwanted
    FROM ${stored} AS r JOIN wantedConditions AS c ON c.condition = r.condition
      LEFT JOIN wantedSamples AS s ON s.sample = r.sample AND s.scenario = c.scenario`);

  const result = await connection.stream('SELECT condition, sample FROM matched WHERE holds');
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk?.rowCount) break;
    const [condition, sample] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let i = 0; i < chunk.rowCount; i++) visit(condition.getItem(i) as number, sample.getItem(i) as number);
  }

  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
  const unwanted = await read('SELECT DISTINCT unwanted FROM matched WHERE unwanted IS NOT NULL');
  const unknown = unwanted.map(([sample]) => sample as string).filter((sample) => !isKnown(sample));
  await fillTable(
    connection,
    'unknown',
    [['sample', 'VARCHAR']],
    unknown.map((sample) => [sample]),
  );
  const changed = await read('SELECT condition, sample FROM matched WHERE NOT holds');
  const gone = await read('SELECT condition, unwanted FROM matched JOIN unknown ON unknown.sample = matched.unwanted');
  for (const table of ['matched', 'unknown', 'wantedConditions', 'wantedSamples'])
    await connection.run(`DROP TABLE ${table}`);
  return [
    ...changed.map(([c, s]) => ({ condition: c as number, sample: samples[s as number].sample })),
    ...gone.map(([c, sample]) => ({ condition: c as number, sample: sample as string })),
  ].map(({ condition, sample }) => ({ condition: conditions[condition].condition, sample }));
}
