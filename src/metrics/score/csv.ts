import type { ClassScore, ScenarioScore, Score } from '../../contracts/score.ts';
import { type CsvCell, spreadsheetCsv } from '../../formats/csv-write.ts';

const columns = [
  'model',
  'trained',
  'scenario',
  'class',
  'n',
  'top1',
  'top1Own',
  'ciLow',
  'ciHigh',
  'top5',
  'probabilityTruth',
  'calibrationError',
  'drop',
  'dropLow',
  'dropHigh',
  'p',
  'pHolm',
] as const;

/** One line per model, head, scenario and class; an empty class is all of them. */
export function scoreCsv(score: Score): string {
  const lines = score.models.flatMap(({ model, scenarios, classes, heads }) => [
    ...scenarios.map((row) => line(model, '', row)),
    ...(classes ?? []).map((row) => line(model, '', row)),
    ...(heads ?? []).flatMap(({ trained, scenarios: rows }) => rows.map((row) => line(model, trained, row))),
  ]);
  return spreadsheetCsv(columns, lines);
}

function line(model: string, trained: string, row: ScenarioScore | ClassScore): CsvCell[] {
  const values: Record<(typeof columns)[number], CsvCell> = {
    model,
    trained,
    scenario: row.scenario,
    class: 'class' in row ? (row as ClassScore).class : '',
    n: row.n,
    top1: row.top1,
    top1Own: row.top1Own,
    ciLow: row.ci?.[0],
    ciHigh: row.ci?.[1],
    top5: row.top5,
    probabilityTruth: row.probabilityTruth,
    calibrationError: row.calibrationError,
    drop: row.drop,
    dropLow: row.dropCi?.[0],
    dropHigh: row.dropCi?.[1],
    p: row.p,
    pHolm: 'pHolm' in row ? (row as ScenarioScore).pHolm : undefined,
  };
  return columns.map((name) => values[name]);
}
