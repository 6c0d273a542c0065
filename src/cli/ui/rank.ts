import { hundredthsOf, percentOf } from '../../contracts/numbers.ts';
import type { Rank, RankedModel } from '../../contracts/rank.ts';
import { probability, range } from './cells.ts';
import { type TextColumnSpec, table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

const titles = { accuracy: 'accuracy', balanced: 'balanced accuracy', auroc: 'AUROC' } as const;

/** Which model to take, for people. */
export function rankText(rank: Rank, width = textWidth()): string {
  const columns: TextColumnSpec<RankedModel>[] = [
    { title: 'model', flexible: true, cell: (row) => `${row.rank} ${row.model}${row.contender ? '' : ' ·'}` },
    { title: 'clean %', align: 'right', cell: ({ clean }) => hundredthsOf(clean?.value) },
    { title: 'shifted', align: 'right', cell: ({ shifted }) => hundredthsOf(shifted.value) },
    { title: '95 %', spare: 2, cell: ({ shifted }) => range(shifted.ci) },
    ...rank.shifts.map(
      ({ shift }, k): TextColumnSpec<RankedModel> => ({
        title: shift,
        align: 'right',
        spare: 4,
        cell: ({ shifts }) => hundredthsOf(shifts[k].value),
      }),
    ),
    { title: 'worst', cell: ({ worst }) => worst.shift },
    { title: 'first', align: 'right', cell: ({ best }) => percentOf(best, 0) },
    { title: 'behind', align: 'right', cell: ({ behind }) => (behind ? hundredthsOf(behind.difference) : '') },
    { title: '95 %', spare: 3, cell: ({ behind }) => range(behind?.ci) },
    { title: 'P (Holm)', align: 'right', spare: 1, cell: ({ behind }) => probability(behind?.pHolm) },
  ];
  const shifts = rank.shifts.map(({ shift, scenarios }) => `${shift} (${scenarios.join(', ')})`).join('; ');
  const kept = columns.filter((column) => rank.models.some((row) => column.cell(row) !== ''));
  return [
    wrap(
      `By ${titles[rank.by]} under ${rank.shifts.length === 1 ? 'one shift' : `${rank.shifts.length} shifts`}: ${shifts}.`,
      width,
      2,
    ),
    '',
    table(rank.models, kept, width),
    '',
    wrap(rank.words, width, 2),
    ...rank.notes.map((note) => wrap(`! ${note}`, width, 2)),
  ].join('\n');
}
