import type { Analysis } from '../../contracts/analysis.ts';
import { formatNumber, formatP, withoutRounding } from '../../metrics/analyze/words.ts';
import type { Cell, Table } from '../document.ts';

const number = (value: Cell) => formatNumber(typeof value === 'number' ? value : null).replace(/^-/, '−');

/** The coefficients as the supplement's Fig. 9 prints them. */
export function regressionTable({ terms, errors }: Pick<Analysis, 'terms' | 'errors'>, { folded = false } = {}): Table {
  const resampled = terms.some(({ bootstrap }) => bootstrap);
  const level = `${Number((100 * errors.level).toPrecision(6))} % interval`;
  return {
    id: 'regression',
    title: 'Regression coefficients',
    note: 'Stars: ns P > 0.05, * ≤ 0.05, ** ≤ 0.01, *** ≤ 0.001, **** < 0.0001.',
    folded,
    columns: [
      { key: 'term', label: 'Term' },
      {
        key: 'estimate',
        label: 'Estimate',
        align: 'right',
        show: (value, row) => (row.infinite ? `${row.infinite}∞` : number(value)),
      },
      { key: 'se', label: 'Standard error', align: 'right', show: number },
      {
        key: 'low',
        label: level,
        align: 'right',
        with: ['high'],
        show: (v, row) => (v === null ? '–' : `${number(v)} to ${number(row.high)}`),
      },
      { key: 'statistic', label: errors.distribution === 't' ? 't' : 'z', align: 'right', show: number },
      { key: 'p', label: 'P', align: 'right', show: (value) => formatP(typeof value === 'number' ? value : null) },
      { key: 'stars', label: 'Stars', show: (value) => String(value ?? '') },
      ...(resampled
        ? [
            {
              key: 'imageLow',
              label: `${level}, images drawn anew`,
              align: 'right' as const,
              with: ['imageHigh'],
              show: (v: Cell, row: Readonly<Record<string, Cell>>) =>
                v === null ? '–' : `${number(v)} to ${number(row.imageHigh)}`,
            },
          ]
        : []),
    ],
    rows: terms.map(withoutRounding).map(({ term, estimate, se, statistic, p, stars, ci, bootstrap, infinite }) => ({
      term,
      estimate,
      se,
      low: ci?.[0] ?? null,
      high: ci?.[1] ?? null,
      statistic,
      p,
      stars,
      ...(resampled && { imageLow: bootstrap?.ci[0] ?? null, imageHigh: bootstrap?.ci[1] ?? null }),
      ...(infinite && { infinite }),
    })),
  };
}
