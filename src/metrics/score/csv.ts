import type { ClassScore, ScenarioScore, Score } from '../../contracts/score.ts';

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
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

function line(model: string, trained: string, row: ScenarioScore | ClassScore): string {
  const values: Record<(typeof columns)[number], unknown> = {
    model,
    trained,
    scenario: row.scenario,
    class: 'class' in row ? row.class : '',
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
    pHolm: 'pHolm' in row ? row.pHolm : undefined,
  };
  return columns.map((name) => field(values[name])).join(',');
}

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
