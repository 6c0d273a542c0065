import { hundredthsOf } from '../../contracts/numbers.ts';
import type { ClassScore, Score } from '../../contracts/score.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { probability, range } from './cells.ts';
import { table } from './table.ts';
import { textWidth } from './wrap.ts';

/** Every class of every scenario of every model. */
export function classText(score: Score, width = textWidth()): string {
  return score.models
    .map(({ model, classes }) =>
      [
        `${model}, by class`,
        table<ClassScore>(
          classes ?? [],
          [
            { title: 'class', flexible: true, cell: (row) => shownLabel(row.class) },
            { title: 'scenario', flexible: true, cell: (row) => row.scenario },
            { title: 'n', align: 'right', cell: (row) => (row.n ? String(row.n) : '') },
            { title: 'top-1 %', align: 'right', cell: (row) => hundredthsOf(row.top1) },
            { title: '95 %', spare: 2, cell: (row) => range(row.ci) },
            { title: 'drop', align: 'right', cell: (row) => (row.drop === null ? '' : hundredthsOf(row.drop)) },
            { title: '95 %', cell: (row) => range(row.dropCi) },
            { title: 'P', align: 'right', spare: 1, cell: (row) => probability(row.p) },
          ],
          width,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
