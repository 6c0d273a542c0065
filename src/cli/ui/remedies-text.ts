import { hundredthsOf, signedHundredthsOf } from '../../contracts/numbers.ts';
import type { RemedyComparison, RemedyResult, RemedyRow } from '../../contracts/remedies.ts';
import { probability, range, stars } from './cells.ts';
import { type TextColumnSpec, table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

const when = { training: 'training', test: 'test time', both: 'both' } as const;

/** What helps, for people: one line per remedy, then where it helps. */
export function remediesText(helps: RemedyComparison, width = textWidth()): string {
  const { remedies } = helps;
  const originalOf = ({ scenarios }: RemedyResult) => scenarios.find(({ scenario }) => scenario === 'original');
  const names = [...new Set(remedies.flatMap(({ scenarios }) => scenarios.map(({ scenario }) => scenario)))];
  const rowOf = (remedy: RemedyResult, name: string): RemedyRow | undefined =>
    remedy.scenarios.find(({ scenario }) => scenario === name);
  const perScenario: TextColumnSpec<string>[] = [
    { title: 'scenario', flexible: true, cell: (name) => name },
    {
      title: 'plain %',
      align: 'right',
      cell: (name) =>
        hundredthsOf(remedies.map((remedy) => rowOf(remedy, name)?.plain).find((value) => value !== undefined)),
    },
    ...remedies.map(
      (remedy, i): TextColumnSpec<string> => ({
        title: `(${i + 1})`,
        align: 'right',
        cell: (name) => {
          const row = rowOf(remedy, name);
          return row ? `${signedHundredthsOf(row.difference)}${row.pHolm <= 0.05 ? stars(row.pHolm) : ''}` : '–';
        },
      }),
    ),
  ];
  return [
    wrap(`What helps ${helps.model}? Each against: ${helps.plain}.`, width, 2),
    '',
    table(
      remedies.map((remedy, i) => ({ ...remedy, i })),
      [
        { title: 'remedy', flexible: true, cell: ({ title, i }) => `(${i + 1}) ${title}` },
        { title: 'when', cell: (row) => when[row.when] },
        { title: 'plain %', align: 'right', cell: ({ overall }) => hundredthsOf(overall.plain) },
        { title: 'with', align: 'right', cell: ({ overall }) => hundredthsOf(overall.remedied) },
        { title: 'difference', align: 'right', cell: ({ overall }) => signedHundredthsOf(overall.difference) },
        { title: '95 %', cell: ({ overall }) => range(overall.ci) },
        { title: 'P (Holm)', align: 'right', cell: ({ overall }) => probability(overall.pHolm) },
        { title: '', cell: ({ overall }) => stars(overall.pHolm) },
        {
          title: 'unedited',
          align: 'right',
          cell: (row) => {
            const original = originalOf(row);
            return original ? signedHundredthsOf(original.difference) : '';
          },
        },
      ],
      width,
    ),
    '',
    'In points against plain, by scenario (stars: exact McNemar, Holm over the scenarios of a remedy):',
    table(names, perScenario, width),
    '',
    ...helps.words.map((line) => wrap(line, width, 2)),
    ...helps.notes.map((note) => wrap(`! ${note}`, width, 2)),
  ].join('\n');
}
