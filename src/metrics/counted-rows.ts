import { borderTrials } from '../scenarios/paste.ts';
import { partOf } from '../scenarios/registry.ts';
import { type ColumnTable, pickRows } from './analyze/table.ts';
import { type CountedScenarios, isCounted } from './counted.ts';

/** The rows of a table that a regression is about, and the scenarios that were left out of it. */
export function countedRows(table: ColumnTable, count: CountedScenarios): { table: ColumnTable; left: string[] } {
  if (!table.has('scenario')) return { table, left: [] };
  const { codes, levels } = table.text('scenario');
  const trials = borderTrials(levels);
  const kept = levels.map((name) => !trials.has(name) && (partOf(name) === 'original' || isCounted(name, count)));
  if (kept.every(Boolean)) return { table, left: [] };
  const rows: number[] = [];
  for (let row = 0; row < table.rowCount; row++) if (kept[codes[row]]) rows.push(row);
  return { table: pickRows(table, Uint32Array.from(rows)), left: levels.filter((_, code) => !kept[code]) };
}
