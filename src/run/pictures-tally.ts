import { scenarios } from '../scenarios/registry.ts';
import type { SampleTally } from './pictures-choose.ts';
import { queryShards } from './query-shards.ts';

/** The shifts: with the object gone, or in a control, to be wrong is no mistake of the kind that is looked for. */
const edited = `split_part(scenario, ':', 1) NOT IN (${scenarios
  .filter(({ part }) => part !== 'shift')
  .map(({ id }) => `'${id}'`)
  .join(', ')})`;

/** What the stored rows of a run say about each sample; empty where there are no predictions. */
export async function tallySamples(run: string): Promise<SampleTally[]> {
  const found = await queryShards(
    run,
    'predictions',
    (shards) => `
      WITH rows AS (
        SELECT DISTINCT model, trained, scenario, sample, label, fold, correct FROM ${shards}
      ), paired AS (
        SELECT rows.*, base.correct AS before
        FROM rows LEFT JOIN rows AS base
          ON base.scenario = 'original' AND base.model = rows.model AND base.trained = rows.trained
            AND base.sample = rows.sample AND base.fold = rows.fold
      )
      SELECT sample, min(label),
        count(*) FILTER (${edited})::INTEGER,
        count(*) FILTER (${edited} AND NOT correct)::INTEGER,
        CASE WHEN count(*) FILTER (scenario = 'original') = 0 THEN NULL
          ELSE count(*) FILTER (scenario = 'original' AND correct)::INTEGER END,
        count(*) FILTER (${edited} AND NOT correct AND before)::INTEGER
      FROM paired GROUP BY sample ORDER BY sample`,
  );
  return (found?.getRowsJS() ?? []).map(([sample, label, answers, wrong, originalRight, lostByEdit]) => ({
    sample: String(sample),
    label: String(label),
    answers: Number(answers),
    wrong: Number(wrong),
    originalRight: originalRight === null ? null : Number(originalRight),
    lostByEdit: Number(lostByEdit),
  }));
}
