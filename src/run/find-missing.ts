import type { RunTable } from '../contracts/run-tables.ts';
import type { RunStore, StaleKey } from './folder/index.ts';
import type { Plan } from './plan.ts';
import type { MissingAnswers } from './predict-job.ts';

/** Tables with a run's answers; `published` only adds to rows of `predictions`, so it does not tell what is missing. */
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
  const current = conditions.map((condition) => ({
    condition: condition.hash,
    model: models[condition.model].name,
    scenario: condition.scenario,
  }));
  const keys = {
    conditions: conditions.map(({ hash, given, scenario }) => ({ condition: hash, scenario: given ? scenario : '' })),
    samples: plannedSamples.map(({ sample, sampleHash }) => ({
      sample: sample.id,
      scenario: sample.scenario ?? '',
      sampleHash,
    })),
    // Outside this call's selection a row stays; of a sample that has left the dataset it goes.
    isKnown: (sample: string) => known.has(sample),
  };
  const done = createBitTable(plannedSamples.length, conditions.length);
  const stale = new Map<RunTable, readonly StaleKey[]>();
  let outdated = 0;
  for (const table of answerTables) {
    const decides = table !== 'published';
    const ofTable = await store.matchKeys(table, keys, (condition, sample) => decides && done.set(sample, condition));
    stale.set(table, ofTable);
    if (decides) outdated += ofTable.length + (await store.countReplaced(table, current));
  }
  return {
    missing: wanted
      .map((all, sampleIndex) => ({
        sampleIndex,
        conditions: all.filter((condition) => !done.has(sampleIndex, condition)),
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

/** A truth value for every row and column, an eighth of a byte each. */
function createBitTable(rows: number, columns: number) {
  const rowBytes = Math.ceil(columns / 8);
  const bytes = new Uint8Array(rows * rowBytes);
  return {
    set(row: number, column: number) {
      bytes[row * rowBytes + (column >> 3)] |= 1 << (column & 7);
    },
    has: (row: number, column: number) => (bytes[row * rowBytes + (column >> 3)] & (1 << (column & 7))) !== 0,
  };
}
