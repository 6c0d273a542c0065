import type { LostSample } from '../../metrics/answers/lost-samples.ts';
import type { ReportTable } from '../document.ts';

export function lostTable(samples: readonly LostSample[], { most = 15 } = {}): ReportTable {
  return {
    id: 'lost-samples',
    title: 'Samples that every model loses',
    folded: true,
    note: samples.length > most ? `The ${most} most often lost of ${samples.length}.` : undefined,
    columns: [
      { key: 'sample', label: 'Sample' },
      { key: 'label', label: 'It is' },
      { key: 'seenAs', label: 'Mostly seen as' },
      {
        key: 'lost',
        label: 'Lost in',
        align: 'right',
        with: ['scenarios'],
        show: (value, row) => `${value} of ${row.scenarios}`,
      },
      { key: 'originalRight', label: 'Right as photographed', show: (value) => String(value ?? '–') },
    ],
    rows: samples.slice(0, most).map(({ originalRight, ...row }) => ({
      ...row,
      originalRight: originalRight === null ? null : originalRight ? 'by some model' : 'by none',
    })),
  };
}
