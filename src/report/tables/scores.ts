import type { ModelScore } from '../../contracts/score.ts';
import { originalScenario } from '../data/answers.ts';
import type { ReportData } from '../data/load.ts';
import type { Cell, Table } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { fixed, millions, percent, points, range } from '../show.ts';

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

/** What is said of each model, best over the edits first. */
export function scoreFacts({ score, models, ranking, record }: ReportData): ScoreFacts[] {
  return models.map((model) => {
    const own = score.models.find((candidate) => candidate.model === model) as ModelScore;
    const ranked = ranking.find((candidate) => candidate.model === model);
    const edits = own.scenarios.filter(({ scenario }) => scenario !== originalScenario);
    return {
      model,
      score: own,
      original: own.scenarios.find(({ scenario }) => scenario === originalScenario),
      edited: ranked?.edited ?? null,
      editedCi: ranked?.ci ?? null,
      first: ranking.length > 1 ? (ranked?.first ?? null) : null,
      worst: [...edits].sort((a, b) => a.top1 - b.top1)[0],
      parameters: record.models.find(({ name }) => name === model)?.parameters ?? null,
    };
  });
}

export function scoreTable(facts: readonly ScoreFacts[]): Table {
  const several = facts.length > 1;
  const known = facts.some(({ parameters }) => parameters !== null);
  return {
    id: 'scores',
    title: 'Scores',
    note:
      'Intervals hold 95 %. The robustness score is one minus the variance of the accuracies around the one on the originals (XIMAGENET-12); near one means that the scene hardly matters, whatever the accuracy.' +
      (several ? ' “First” is how often the model comes first when the images are drawn anew.' : ''),
    columns: [
      { key: 'model', label: 'Model' },
      ...(known
        ? [{ key: 'parameters', label: 'Parameters, M', align: 'right' as const, show: (v: Cell) => millions(v) }]
        : []),
      { key: 'original', label: 'As photographed', align: 'right', show: (v) => percent(v) },
      { key: 'edited', label: 'Over all edits', align: 'right', show: (v) => percent(v) },
      {
        key: 'editedLow',
        label: '95 % interval',
        align: 'right',
        with: ['editedHigh'],
        show: (v, r) => range(v, r.editedHigh, (x) => points(x)),
      },
      { key: 'meanDrop', label: 'Mean loss, points', align: 'right', show: (v) => points(v) },
      {
        key: 'worst',
        label: 'Worst edit',
        align: 'right',
        with: ['worstScenario'],
        show: (v, r) => (v === null ? '–' : `${percent(v)} · ${scenarioTitle(String(r.worstScenario))}`),
      },
      { key: 'robustness', label: 'Robustness score', align: 'right', show: (v) => fixed(v, 3) },
      {
        key: 'robustnessLow',
        label: '95 % interval',
        align: 'right',
        with: ['robustnessHigh'],
        show: (v, r) => range(v, r.robustnessHigh, (x) => fixed(x, 3)),
      },
      ...(several ? [{ key: 'first', label: 'First', align: 'right' as const, show: (v: Cell) => percent(v, 0) }] : []),
    ],
    rows: facts.map(({ model, score, original, edited, editedCi, first, worst, parameters }) => ({
      model,
      parameters,
      original: original?.top1 ?? null,
      edited,
      editedLow: editedCi?.[0] ?? null,
      editedHigh: editedCi?.[1] ?? null,
      meanDrop: score.meanDrop,
      worst: worst?.top1 ?? null,
      worstScenario: worst?.scenario ?? null,
      robustness: score.robustness?.score ?? null,
      robustnessLow: score.robustness?.ci?.[0] ?? null,
      robustnessHigh: score.robustness?.ci?.[1] ?? null,
      first,
    })),
  };
}
