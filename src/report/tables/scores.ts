import type { ModelScore } from '../../contracts/score.ts';
import { isCounted, mayBeWorst } from '../../metrics/counted.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { ReportData } from '../data/load.ts';
import type { ReportCell, ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { fixed, none, percent, points } from '../show.ts';

export interface ScoreFacts {
  readonly model: string;
  readonly score: ModelScore;
  readonly original: ModelScore['scenarios'][number] | undefined;
  readonly edited: number | null;
  readonly editedCi: readonly [number, number] | null;
  readonly first: number | null;
  readonly worst: ModelScore['scenarios'][number] | undefined;
  readonly parameters: number | null;
}

/** What is said of each model, best over the shifts first. */
export function scoreFacts({ score, models, record }: ReportData): ScoreFacts[] {
  return models.map((model) => {
    const own = score.models.find((candidate) => candidate.model === model) as ModelScore;
    const edits = own.scenarios.filter(({ scenario }) => isCounted(scenario) && mayBeWorst(scenario));
    return {
      model,
      score: own,
      original: own.scenarios.find(({ scenario }) => scenario === originalScenario),
      edited: own.overShifts?.accuracy ?? null,
      editedCi: own.overShifts?.ci ?? null,
      first: score.ranking?.models.find((candidate) => candidate.model === model)?.best ?? null,
      worst: [...edits].sort((a, b) => a.top1 - b.top1)[0],
      parameters: record.models.find(({ name }) => name === model)?.parameters ?? null,
    };
  });
}

export function scoreTable(facts: readonly ScoreFacts[]): ReportTable {
  const several = facts.length > 1;
  const ownKnown = facts.every(({ original }) => typeof original?.top1Own === 'number');
  // Beside each other where they differ; else one line says that they do not.
  const own =
    ownKnown &&
    facts.some(({ score }) => score.scenarios.some(({ top1, top1Own }) => top1Own !== null && top1Own !== top1));
  return {
    id: 'scores',
    title: 'Scores',
    note:
      'Right answers; all shifts of the scene count alike, controls and pictures without the object not at all. The robustness score (XIMAGENET-12) is one minus the mean squared distance of the shifts’ accuracies from the original one: near one the scene hardly matters, however good or bad the model.' +
      (ownKnown && !own ? ' Among the dataset’s own classes alone the accuracies are the same.' : '') +
      (several ? ' “First” is how often the model comes first when the images are drawn anew.' : ''),
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'original', label: 'As photographed', align: 'right', show: (value) => percent(value) },
      ...(own
        ? [
            {
              key: 'originalOwn',
              label: 'among own classes',
              align: 'right' as const,
              show: (v: ReportCell) => percent(v),
            },
          ]
        : []),
      {
        key: 'edited',
        label: 'Over the shifts (95\u00a0%)',
        align: 'right',
        with: ['editedLow', 'editedHigh'],
        show: (value, row) => withRange(percent(value), row.editedLow, row.editedHigh, points),
      },
      ...(own
        ? [
            {
              key: 'editedOwn',
              label: 'among own classes',
              align: 'right' as const,
              show: (v: ReportCell) => percent(v),
            },
          ]
        : []),
      { key: 'loss', label: 'Loss, points', align: 'right', show: (value) => points(value) },
      {
        key: 'worst',
        label: 'Worst shift',
        with: ['worstScenario'],
        show: (value, row) =>
          value === null ? none : `${percent(value)} ${scenarioTitle(String(row.worstScenario)).toLowerCase()}`,
      },
      {
        key: 'scene',
        label: 'On the scene, points',
        with: ['sceneLoss'],
        show: (value, row) =>
          value === null
            ? none
            : `${scene[value as keyof typeof scene]}${row.sceneLoss === null ? '' : ` (${points(row.sceneLoss)})`}`,
      },
      {
        key: 'robustness',
        label: 'Robustness score (95\u00a0%)',
        align: 'right',
        with: ['robustnessLow', 'robustnessHigh'],
        show: (value, row) => withRange(fixed(value, 3), row.robustnessLow, row.robustnessHigh, (x) => fixed(x, 3)),
      },
      ...(several
        ? [{ key: 'first', label: 'First', align: 'right' as const, show: (v: ReportCell) => percent(v, 0) }]
        : []),
    ],
    rows: facts.map(({ model, score, original, edited, editedCi, first, worst }) => ({
      model,
      original: original?.top1 ?? null,
      ...(own && { originalOwn: original?.top1Own ?? null, editedOwn: meanOwn(score) }),
      edited,
      editedLow: editedCi?.[0] ?? null,
      editedHigh: editedCi?.[1] ?? null,
      loss: edited === null || !original ? null : original.top1 - edited,
      worst: worst?.top1 ?? null,
      worstScenario: worst?.scenario ?? null,
      scene: score.verdict?.answer ?? null,
      sceneLoss: score.verdict?.loss?.estimate ?? null,
      robustness: score.robustness?.score ?? null,
      robustnessLow: score.robustness?.ci?.[0] ?? null,
      robustnessHigh: score.robustness?.ci?.[1] ?? null,
      first,
    })),
  };
}

/** Over the shifts, among the dataset's own classes; null where one of them does not say. */
function meanOwn({ scenarios }: ModelScore): number | null {
  const counted = scenarios.filter(({ scenario }) => isCounted(scenario)).map(({ top1Own }) => top1Own);
  if (!counted.length || counted.includes(null)) return null;
  return counted.reduce<number>((sum, value) => sum + (value as number), 0) / counted.length;
}

const scene = {
  leans: 'leans',
  'does-not': 'does not lean',
  'not-settled': 'not settled',
  'not-measured': none,
} as const;

const withRange = (text: string, low: ReportCell, high: ReportCell, show: (value: ReportCell) => string): string =>
  low === null || high === null ? text : `${text} (${show(low)}–${show(high)})`;
