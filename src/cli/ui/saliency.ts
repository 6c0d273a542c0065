import { attentionSentences } from '../../explain/summary/attention-sentences.ts';
import type { SaliencyCell } from '../../explain/summary/cells.ts';
import type { RelianceDifference } from '../../explain/summary/compare-reliance.ts';
import type { SaliencySummary } from '../../explain/summary/summarise.ts';
import { percent, probability, range, stars } from './score.ts';
import { table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

/** What the maps say, for people: a table, the comparisons, then the answer in words. */
export function saliencyText(summary: SaliencySummary, width = textWidth()): string {
  const { cells, comparisons, index } = summary;
  const blocks = [cellTable(cells, width)];
  if (comparisons.length) blocks.push(comparisonTable(comparisons, width));
  blocks.push(
    attentionSentences(summary)
      .map((line) => wrap(line, width, 2))
      .join('\n'),
  );
  blocks.push(
    wrap(
      `On it: share of the saliency on the object; × area: that share over the object's share of the picture. Over ${index.selection.words}. Explained: the ${index.explained === 'truth' ? 'right class' : "model's own answer"}. Intervals are 95 %, images of one group together; P by Holm over the scenarios.`,
      width,
    ),
  );
  return blocks.join('\n\n');
}

function cellTable(cells: readonly SaliencyCell[], width: number): string {
  const several = new Set(cells.map(({ model }) => model)).size > 1;
  const number = (value: number | null, digits = 2) => (value === null ? '–' : value.toFixed(digits));
  return table(
    cells,
    [
      ...(several ? [{ title: 'model', flexible: true, cell: ({ model }: SaliencyCell) => model }] : []),
      { title: 'scenario', flexible: true, cell: ({ scenario }) => scenario },
      { title: 'n', align: 'right', cell: ({ n }) => String(n) },
      { title: 'on it %', align: 'right', cell: ({ shareOnObject }) => percent(shareOnObject.mean) },
      { title: '95 %', cell: ({ shareOnObject }) => range(shareOnObject.ci) },
      { title: 'change', align: 'right', cell: ({ change }) => (change ? percent(change.difference) : '') },
      { title: 'P', align: 'right', cell: ({ change }) => (change ? probability(change.pHolm) : '') },
      { title: '× area', align: 'right', cell: ({ energyRatio }) => number(energyRatio.mean) },
      { title: 'hit %', align: 'right', cell: ({ pointing }) => percent(pointing.mean) },
      { title: 'IoU', align: 'right', cell: ({ iou }) => number(iou.mean) },
      { title: 'del.', align: 'right', cell: ({ deletion }) => number(deletion.mean) },
      { title: 'ins.', align: 'right', cell: ({ insertion }) => number(insertion.mean) },
      { title: 'right %', align: 'right', cell: ({ accuracy }) => percent(accuracy.mean) },
    ],
    width,
  );
}

function comparisonTable(comparisons: readonly RelianceDifference[], width: number): string {
  return `Share on the object, first minus second, over the same variants\n${table(
    comparisons,
    [
      { title: 'first', flexible: true, cell: ({ first }) => first },
      { title: 'second', flexible: true, cell: ({ second }) => second },
      { title: 'scenario', flexible: true, cell: ({ scenario }) => scenario || 'all' },
      { title: 'n', align: 'right', cell: ({ n }) => String(n) },
      { title: 'points', align: 'right', cell: ({ difference }) => percent(difference) },
      { title: '95 %', cell: ({ ci }) => range(ci) },
      { title: 'P (Holm)', align: 'right', cell: ({ pHolm }) => probability(pHolm) },
      { title: '', cell: ({ pHolm }) => stars(pHolm) },
    ],
    width,
  )}`;
}
