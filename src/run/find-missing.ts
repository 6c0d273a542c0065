import type { RunStore } from './folder/index.ts';
import type { Plan } from './plan.ts';
import type { MissingAnswers } from './predict-job.ts';

/** What a run's answers are stored in; `published` stands beside predictions and says nothing of what is missing. */
export const answerTables = ['predictions', 'published', 'segmentation'] as const;

export interface MissingFound {
  /** What is wanted and not stored. */
  readonly missing: readonly MissingAnswers[];
  /** Stored rows that no longer hold: of other pictures, models or settings under the same names. */
  readonly outdated: number;
  /** Takes them away. */
  removeOutdated(): Promise<void>;
}

/** Compares the plan with what is stored; changes nothing by itself. `known`: all samples of the dataset, by id. */
export async function findMissing(
  store: RunStore,
  { plannedSamples, conditions, wanted, models }: Plan,
  known: ReadonlySet<string>,
): Promise<MissingFound> {
  const conditionIndex = new Map(conditions.map((condition, i) => [condition.hash, i]));
  const sampleIndexes = new Map(plannedSamples.map(({ sample }, i) => [`${sample.scenario ?? ''} ${sample.id}`, i]));
  const current = conditions.map((condition) => ({
    condition: condition.hash,
    model: models[condition.model].name,
    scenario: condition.scenario,
  }));
  const done = plannedSamples.map(() => new Set<number>());
  const stale = new Map(answerTables.map((table) => [table, [] as { condition: string; sample: string }[]]));
  let outdated = 0;
  for (const table of answerTables) {
    const decides = table !== 'published';
    const ofTable = stale.get(table) as { condition: string; sample: string }[];
    await store.forEachKey(table, (condition, sample, sampleHash) => {
      const u = conditionIndex.get(condition);
      if (u === undefined) return;
      const sampleIndex = sampleIndexes.get(`${conditions[u].given ? conditions[u].scenario : ''} ${sample}`);
      // Outside this call's selection a row stays; of a sample that has left the dataset it goes.
      const holds =
        sampleIndex === undefined ? known.has(sample) : plannedSamples[sampleIndex].sampleHash === sampleHash;
      if (!holds) ofTable.push({ condition, sample });
      else if (sampleIndex !== undefined && decides) done[sampleIndex].add(u);
    });
    if (decides) outdated += ofTable.length + (await store.countReplaced(table, current));
  }
  return {
    missing: wanted
      .map((all, sampleIndex) => ({
        sampleIndex,
        conditions: all.filter((condition) => !done[sampleIndex].has(condition)),
      }))
      .filter(({ conditions: left }) => left.length),
    outdated,
    async removeOutdated() {
      for (const table of answerTables) {
        await store.remove(table, stale.get(table) ?? []);
        await store.removeReplaced(table, current);
      }
    },
  };
}
