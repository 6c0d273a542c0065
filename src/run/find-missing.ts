import type { RunStore } from './folder/index.ts';
import type { Plan } from './plan.ts';
import type { MissingAnswers } from './predict-job.ts';

const tables = ['predictions', 'segmentation'] as const;

export interface Found {
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
  { entries, units, wanted, models }: Plan,
  known: ReadonlySet<string>,
): Promise<Found> {
  const unitIndex = new Map(units.map((unit, i) => [unit.hash, i]));
  const entryIndex = new Map(entries.map(({ sample }, i) => [`${sample.scenario ?? ''} ${sample.id}`, i]));
  const current = units.map((unit) => ({
    unit: unit.hash,
    model: models[unit.model].name,
    scenario: unit.scenario,
  }));
  const done = entries.map(() => new Set<number>());
  const stale = new Map(tables.map((table) => [table, [] as { unit: string; sample: string }[]]));
  let outdated = 0;
  for (const table of tables) {
    const ofTable = stale.get(table) as { unit: string; sample: string }[];
    await store.forEachKey(table, (unit, sample, source) => {
      const u = unitIndex.get(unit);
      if (u === undefined) return;
      const entry = entryIndex.get(`${units[u].given ? units[u].scenario : ''} ${sample}`);
      // Outside this call's selection a row stays; of a sample that has left the dataset it goes.
      const holds = entry === undefined ? known.has(sample) : entries[entry].source === source;
      if (!holds) ofTable.push({ unit, sample });
      else if (entry !== undefined) done[entry].add(u);
    });
    outdated += ofTable.length + (await store.countReplaced(table, current));
  }
  return {
    missing: wanted
      .map((all, entry) => ({ entry, units: all.filter((unit) => !done[entry].has(unit)) }))
      .filter(({ units: left }) => left.length),
    outdated,
    async removeOutdated() {
      for (const table of tables) {
        await store.remove(table, stale.get(table) ?? []);
        await store.removeReplaced(table, current);
      }
    },
  };
}
