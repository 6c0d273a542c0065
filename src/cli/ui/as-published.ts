import { hundredthsOf } from '../../contracts/numbers.ts';
import type { AsPublished } from '../../contracts/score.ts';
import { table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

/** The paper's own counts, and why they are not ours. */
export function asPublishedText(models: readonly AsPublished[], width = textWidth()): string {
  const rows = models.flatMap(({ model, scenarios, overall }) => [
    ...scenarios.map((row) => ({ model, ...row })),
    ...(scenarios.length > 1 ? [{ model, scenario: 'all pictures', ...overall }] : []),
  ]);
  return [
    "As published (ImageNet-D's own programs):",
    table(
      rows,
      [
        { title: 'model', flexible: true, cell: ({ model }) => model },
        { title: 'scenario', flexible: true, cell: ({ scenario }) => scenario },
        { title: 'pictures', align: 'right', cell: ({ pictures }) => String(pictures) },
        { title: 'left out', align: 'right', cell: ({ dropped }) => String(dropped) },
        { title: 'top-1 %', align: 'right', cell: ({ top1 }) => hundredthsOf(top1) },
        { title: 'top-5 %', align: 'right', cell: ({ top5 }) => hundredthsOf(top5) },
      ],
      width,
    ),
    wrap(
      'Top-5 has a hit for every accepted output among the first five, so that a picture can count twice. Of two-choice questions the order with the truth first counts, and answers that name both choices or neither are left out.',
      width,
      0,
    ),
  ].join('\n');
}
