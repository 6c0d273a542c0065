import { fixedOf, hundredthsOf } from '../../contracts/numbers.ts';
import type { ModelScore, Score } from '../../contracts/score.ts';
import { inOrder } from '../../metrics/score/order.ts';
import { alarmLines } from './alarm-lines.ts';
import { type TextColumnSpec, table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

/** A screenful: with verdict and paths the whole stays within forty lines. */
const mostModels = 18;

/** As short as it can be said; docs/scores.md says it at length. */
const legendOf = (models: readonly ModelScore[]): string =>
  models.some(({ overShifts }) => overShifts)
    ? 'Right, %: as photographed, over the shifts, worst shift. Scene: points lost before other backgrounds beyond pasting.'
    : 'Right, %: as photographed. Nothing was edited, so nothing is said of the scene.';

/** How a run ends: what must be known first, who leans on the scene, and one row for each model, best first. */
export function runSummaryText(score: Score, width = textWidth()): string {
  const models = inOrder(score.models);
  const shown = models.slice(0, mostModels);
  return [
    [...alarmLines(score.alarms ?? []), ...(score.verdict?.words ?? [])].map((line) => wrap(line, width, 2)).join('\n'),
    shown.length ? `${table(shown, modelColumns(shown), width)}\n${wrap(legendOf(shown), width)}` : '',
    models.length > shown.length ? `… and ${models.length - shown.length} more models: sceneshift score` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

const original = ({ scenarios }: ModelScore) => scenarios.find(({ part }) => part === 'original');

function modelColumns(models: readonly ModelScore[]): TextColumnSpec<ModelScore>[] {
  const differs = models.some((model) => {
    const row = original(model);
    return row?.top1Own !== null && row?.top1Own !== undefined && row.top1Own !== row.top1;
  });
  const worstRow = ({ worst, scenarios }: ModelScore) => scenarios.find(({ scenario }) => scenario === worst?.scenario);
  const columns: TextColumnSpec<ModelScore>[] = [
    { title: 'model', flexible: true, cell: ({ model }) => model },
    { title: 'photo', align: 'right', cell: (model) => hundredthsOf(original(model)?.top1) },
    ...(differs
      ? [
          {
            title: 'own',
            align: 'right' as const,
            spare: 3,
            cell: (model: ModelScore) => hundredthsOf(original(model)?.top1Own),
          },
        ]
      : []),
    { title: 'shifts', align: 'right', cell: ({ overShifts }) => hundredthsOf(overShifts?.accuracy) },
    { title: 'worst', align: 'right', cell: (model) => hundredthsOf(worstRow(model)?.top1) },
    { title: 'which is', flexible: true, spare: 2, cell: ({ worst }) => worst?.scenario ?? '–' },
    { title: 'scene', cell: ({ verdict }) => leaning(verdict) },
    {
      title: 'alone',
      spare: 1,
      cell: ({ background }) => (background && background.verdict !== 'unclear' ? background.verdict : '–'),
    },
    { title: 'robust', align: 'right', cell: ({ robustness, alarms }) => robustnessCell(robustness, alarms) },
  ];
  return columns.filter(({ cell }) => models.some((model) => !['–', ''].includes(cell(model))));
}

/** `leans 12`: the verdict with its points. */
function leaning(verdict: ModelScore['verdict']): string {
  const words = { leans: 'leans', 'does-not': 'not', 'not-settled': 'open', 'not-measured': '–' } as const;
  if (!verdict) return '–';
  return `${words[verdict.answer]}${verdict.loss ? ` ${hundredthsOf(verdict.loss.estimate, 0)}` : ''}`;
}

/** A model that guesses loses nothing anywhere, so its high robustness score would mislead. */
const robustnessCell = (robustness: ModelScore['robustness'], alarms: ModelScore['alarms']): string =>
  !robustness || alarms?.some(({ kind }) => kind === 'guessing') ? '–' : fixedOf(robustness.score, 4);
