import { fixedOf, hundredthsOf } from '../../contracts/numbers.ts';
import { attentionSentences } from '../../explain/summary/attention-sentences.ts';
import type { SaliencyCell } from '../../explain/summary/cells.ts';
import type { RelianceDifference } from '../../explain/summary/compare-reliance.ts';
import type { SaliencySummary } from '../../explain/summary/summarise.ts';
import { probability, range, stars } from './cells.ts';
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
  return table(
    cells,
    [
      ...(several ? [{ title: 'model', flexible: true, cell: ({ model }: SaliencyCell) => model }] : []),
      { title: 'scenario', flexible: true, cell: ({ scenario }) => scenario },
      { title: 'n', align: 'right', cell: ({ n }) => String(n) },
      { title: 'on it %', align: 'right', cell: ({ shareOnObject }) => hundredthsOf(shareOnObject.mean) },
      { title: '95 %', cell: ({ shareOnObject }) => range(shareOnObject.ci) },
      { title: 'change', align: 'right', cell: ({ change }) => (change ? hundredthsOf(change.difference) : '') },
      { title: 'P', align: 'right', cell: ({ change }) => (change ? probability(change.pHolm) : '') },
      { title: '× area', align: 'right', cell: ({ energyRatio }) => fixedOf(energyRatio.mean, 2) },
      { title: 'hit %', align: 'right', cell: ({ pointing }) => hundredthsOf(pointing.mean) },
      { title: 'IoU', align: 'right', cell: ({ iou }) => fixedOf(iou.mean, 2) },
      { title: 'del.', align: 'right', cell: ({ deletion }) => fixedOf(deletion.mean, 2) },
      { title: 'ins.', align: 'right', cell: ({ insertion }) => fixedOf(insertion.mean, 2) },
      { title: 'right %', align: 'right', cell: ({ accuracy }) => hundredthsOf(accuracy.mean) },
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
      { title: 'points', align: 'right', cell: ({ difference }) => hundredthsOf(difference) },
      { title: '95 %', cell: ({ ci }) => range(ci) },
      { title: 'P (Holm)', align: 'right', cell: ({ pHolm }) => probability(pHolm) },
      { title: '', cell: ({ pHolm }) => stars(pHolm) },
    ],
    width,
  )}`;
}
