import { withRunFolder } from '../../run/folder/index.ts';
import { scenarios } from '../../scenarios/registry.ts';
import type { SampleTally } from './choose-telling.ts';

/**
 * The shifts alone: where the object is gone, and in controls, a wrong answer does not mean that an edit broke the
 * model.
 */
const edited = () =>
  `split_part(scenario, ':', 1) NOT IN (${scenarios
    .filter(({ part }) => part !== 'shift')
    .map(({ id }) => `'${id}'`)
    .join(', ')})`;

/** What the stored rows of a run say about each sample; empty where there are no predictions. */
export async function tallySamples(run: string): Promise<SampleTally[]> {
  const shift = edited();
  return withRunFolder(run, (folder) =>
    folder.query<SampleTally>(`
      WITH paired AS (
        SELECT answers.*, base.correct AS before
        FROM predictions AS answers LEFT JOIN predictions AS base
          ON base.scenario = 'original' AND base.model = answers.model AND base.trained = answers.trained
            AND base.sample = answers.sample AND base.fold = answers.fold
      )
      SELECT sample, min(label) AS label,
        count(*) FILTER (${shift}) AS answers,
        count(*) FILTER (${shift} AND NOT correct) AS wrong,
        CASE WHEN count(*) FILTER (scenario = 'original') = 0 THEN NULL
          ELSE count(*) FILTER (scenario = 'original' AND correct) END AS "originalRight",
        count(*) FILTER (${shift} AND NOT correct AND before) AS "lostByEdit"
      FROM paired GROUP BY sample ORDER BY sample`),
  );
}
