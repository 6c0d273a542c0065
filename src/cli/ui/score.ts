import { fixedOf, hundredthsOf, percentOf, rangeOf, signedHundredthsOf, smallOf } from '../../contracts/numbers.ts';
import type { ModelScore, ScenarioScore, Score } from '../../contracts/score.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { alarmLines } from './alarm-lines.ts';
import { probability, range, stars } from './cells.ts';
import { type TextColumnSpec, table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

/** The score for people: a table per model, then what it means. */
export function scoreText(score: Score, width = textWidth()): string {
  const blocks = [verdictLines(score, width), ...score.models.map((model) => modelText(model, width))];
  if (score.models.length > 1) blocks.push(comparisonText(score, width));
  if (score.segmentation?.length) blocks.push(segmentationText(score, width));
  if (score.notes?.length) blocks.push(score.notes.map((note) => wrap(`! ${note}`, width, 2)).join('\n'));
  return blocks.filter(Boolean).join('\n\n');
}

/** What must be known before any number: alarms, then who leans on the scene. */
export function verdictLines({ alarms = [], verdict }: Score, width = textWidth()): string {
  return [...alarmLines(alarms), ...(verdict?.words ?? [])].map((line) => wrap(line, width, 2)).join('\n');
}

function modelText(model: ModelScore, width: number): string {
  const own = model.scenarios.some(({ top1Own, top1 }) => top1Own !== null && top1Own !== top1);
  const columns: TextColumnSpec<ScenarioScore>[] = [
    { title: 'scenario', flexible: true, cell: nameOf },
    { title: 'n', align: 'right', cell: (row) => (row.n ? String(row.n) : '') },
    { title: 'top-1 %', align: 'right', cell: (row) => hundredthsOf(row.top1) },
    { title: 'own', align: 'right', spare: 4, cell: (row) => (own ? hundredthsOf(row.top1Own) : '') },
    { title: '95 %', spare: 3, cell: (row) => range(row.ci) },
    { title: 'drop', align: 'right', cell: (row) => (row.drop === null ? '' : hundredthsOf(row.drop)) },
    { title: '95 %', cell: (row) => range(row.dropCi) },
    { title: 'P (Holm)', align: 'right', spare: 2, cell: (row) => probability(row.pHolm) },
    { title: '', spare: 1, cell: (row) => stars(row.pHolm) },
  ];
  return [
    model.model,
    table(model.scenarios, filled(columns, model.scenarios), width),
    '',
    ...[...summaryLines(model), ...uncountedLines(model)].map((line) => wrap(line, width, 2)),
  ].join('\n');
}

/** In brackets: not counted. */
const nameOf = ({ scenario, part }: ScenarioScore) =>
  part === 'control' || part === 'removal' ? `(${scenario})` : scenario;

/** Without the columns that have nothing to say. */
function filled<T>(columns: readonly TextColumnSpec<T>[], rows: readonly T[]): TextColumnSpec<T>[] {
  return columns.filter((column) => rows.some((row) => column.cell(row) !== ''));
}

/** Controls and removals are in no sum; what they are for is said with them. */
function uncountedLines({ scenarios }: ModelScore): string[] {
  const controls = scenarios.filter(({ part }) => part === 'control');
  const removals = scenarios.filter(({ part }) => part === 'removal');
  const drops = ({ scenario, drop, dropCi }: ScenarioScore) =>
    `${scenario} ${drop === null ? 'unknown' : `${hundredthsOf(drop)} points`}${dropCi ? ` (${range(dropCi)})` : ''}`;
  const rights = ({ scenario, top1, top1Own }: ScenarioScore) => `${scenario} ${hundredthsOf(top1Own ?? top1)} % right`;
  return [
    ...(controls.length
      ? [`In brackets, not counted: controls, what the editing costs by itself: ${controls.map(drops).join('; ')}.`]
      : []),
    ...(removals.length
      ? [
          `In brackets, not counted: without the object, what the background gives away: ${removals.map(rights).join('; ')}.`,
        ]
      : []),
  ];
}

const four = (value: number) => fixedOf(value, 4);

function summaryLines(model: ModelScore): string[] {
  const { robustness, meanDrop, meanDropCi, worst, effectiveRobustness, background, distribution } = model;
  const lines: string[] = [];
  if (robustness) {
    const parts = `cross ${smallOf(robustness.cross)}${robustness.inner === null ? '' : `, inner ${smallOf(robustness.inner)}`}`;
    lines.push(
      `Robustness ${fixedOf(robustness.score, 4)} = 1 − (${parts})${robustness.debiased === null ? '' : `; without sampling noise ${fixedOf(robustness.debiased, 4)}`}${robustness.ci ? `, 95 % ${rangeOf(robustness.ci, four)}` : ''}.`,
    );
    if (robustness.words) lines.push(robustness.words);
    if (robustness.classesCi) lines.push(`With other classes of this kind: ${rangeOf(robustness.classesCi, four)}.`);
  }
  if (meanDrop !== null)
    lines.push(
      `Mean drop ${hundredthsOf(meanDrop)} points${meanDropCi ? ` (${range(meanDropCi)})` : ''}${worst ? `; worst ${worst.scenario}, ${hundredthsOf(worst.drop)} points` : ''}${effectiveRobustness === null || effectiveRobustness === undefined ? '' : `; effective robustness ${signedHundredthsOf(effectiveRobustness)} points`}.`,
    );
  if (background) lines.push(background.words);
  for (const { warning } of distribution ?? []) if (warning) lines.push(`! ${warning}`);
  return lines;
}

function comparisonText({ ranking, ship, agreement }: Score, width: number): string {
  const lines: string[] = [];
  if (ranking) {
    lines.push(
      table(
        ranking.models,
        [
          { title: `by ${ranking.by}`, flexible: true, cell: ({ model }) => model },
          { title: 'best', align: 'right', cell: ({ best }) => percentOf(best, 0) },
          {
            title: 'likely ranks',
            flexible: true,
            cell: ({ ranks }) =>
              ranks.flatMap((share, i) => (share >= 0.025 ? [`${i + 1} (${percentOf(share, 0)})`] : [])).join(', '),
          },
        ],
        width,
      ),
    );
  }
  if (ship) lines.push(wrap(ship.words, width, 2));
  const strongest = (agreement ?? []) as { a: string; b: string; spearman: number; kendall: number; models: number }[];
  for (const { a, b, spearman, kendall, models } of strongest)
    lines.push(
      wrap(
        `${a} and ${b}: Spearman ${fixedOf(spearman, 2)}, Kendall ${fixedOf(kendall, 2)} over ${models} models.`,
        width,
        2,
      ),
    );
  return lines.join('\n');
}

function segmentationText(score: Score, width: number): string {
  const rows = score.segmentation ?? [];
  const gone = rows.filter((row) => row.iou.mean === null);
  const shown = table(
    rows,
    [
      { title: 'model', flexible: true, cell: (row) => row.model },
      { title: 'scenario', flexible: true, cell: (row) => row.scenario },
      { title: 'class', flexible: true, cell: (row) => shownLabel(row.class) },
      { title: 'n', align: 'right', cell: (row) => String(row.n) },
      { title: 'IoU %', align: 'right', cell: (row) => hundredthsOf(row.iou.mean) },
      { title: '95 %', spare: 2, cell: (row) => range(row.iou.ci) },
      { title: 'drop', align: 'right', cell: (row) => (row.iou.drop === null ? '' : hundredthsOf(row.iou.drop)) },
      { title: 'Dice', align: 'right', cell: (row) => hundredthsOf(row.dice.mean) },
      { title: 'boundary F', align: 'right', spare: 3, cell: (row) => hundredthsOf(row.boundaryF.mean) },
      { title: 'pixels', align: 'right', spare: 4, cell: (row) => hundredthsOf(row.pixelAccuracy.mean) },
    ],
    width,
  );
  const said = gone.map(({ model, scenario, predictedShare }) =>
    wrap(
      `${model} on ${scenario}: the object is gone, so there is no IoU, Dice or boundary F; ${hundredthsOf(predictedShare.mean)} % of the picture is still called object.`,
      width,
      2,
    ),
  );
  return [shown, ...said].join('\n');
}
