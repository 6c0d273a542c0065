import type { Analysis } from '../../contracts/analysis.ts';
import { levelOf, significantOf } from '../../contracts/numbers.ts';
import { withoutRounding } from '../../metrics/analyze/effect-sentences.ts';
import { drawnClusters, imageErrors, termsByImages } from '../../metrics/analyze/image-errors.ts';
import type { ReportCell, ReportTable } from '../document.ts';
import { none, pValue } from '../show.ts';

const number = (value: ReportCell) => significantOf(typeof value === 'number' ? value : null);

/** The coefficients as the supplement's Fig. 9 prints them. */
export function regressionTable(
  analysis: Pick<Analysis, 'terms' | 'errors' | 'bootstrap'>,
  { folded = false } = {},
): ReportTable {
  const { errors } = analysis;
  const drawn = imageErrors(analysis);
  const level = `${levelOf(errors.level)} interval`;
  return {
    id: 'regression',
    title: 'Regression coefficients',
    note: `Stars: ns P > 0.05, * ≤ 0.05, ** ≤ 0.01, *** ≤ 0.001, **** < 0.0001.${drawn ? ` Errors from ${drawn.replicates} draws of ${drawnClusters(drawn)}, since the cells share them.` : ''}`,
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
        show: (v, row) => (v === null ? none : `${number(v)} to ${number(row.high)}`),
      },
      { key: 'statistic', label: drawn || errors.distribution === 't' ? 't' : 'z', align: 'right', show: number },
      { key: 'p', label: 'P', align: 'right', show: pValue },
      { key: 'stars', label: 'Stars', show: (value) => String(value ?? '') },
    ],
    rows: termsByImages(analysis)
      .map(withoutRounding)
      .map(({ term, estimate, se, statistic, p, stars, ci, infinite }) => ({
        term,
        estimate,
        se,
        low: ci?.[0] ?? null,
        high: ci?.[1] ?? null,
        statistic,
        p,
        stars,
        ...(infinite && { infinite }),
      })),
  };
}
