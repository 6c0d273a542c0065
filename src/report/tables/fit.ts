import type { Analysis } from '../../contracts/analysis.ts';
import { formatNumber, formatP } from '../../metrics/analyze/effect-sentences.ts';
import type { ReportTable } from '../document.ts';

/** How well the regression fits, as the supplement's Fig. 8 lists it. */
export function fitTable({ n, df, r2, adjR2, multipleR, syx, rmse, ss, f, aicc }: Analysis): ReportTable {
  const rows: [string, number | null, string][] = [
    ['Rows', n, String(n)],
    ['Degrees of freedom', df, String(df)],
    ['Multiple R', multipleR, formatNumber(multipleR)],
    ['R²', r2, formatNumber(r2)],
    ['Adjusted R²', adjR2, formatNumber(adjR2)],
    ['Sy.x, √(SS/df)', syx, formatNumber(syx)],
    ['RMSE, √(SS/n)', rmse, formatNumber(rmse)],
    ['Residual sum of squares', ss?.residual ?? null, formatNumber(ss?.residual)],
    ['AICc', aicc, formatNumber(aicc, 6)],
    [
      f ? `F(${f.df1}, ${f.df2})` : 'F',
      f?.statistic ?? null,
      f ? `${formatNumber(f.statistic)}, P ${formatP(f.p)}` : '–',
    ],
  ];
  return {
    id: 'fit',
    title: 'Goodness of fit',
    columns: [
      { key: 'what', label: 'Measure' },
      { key: 'value', label: 'Value', align: 'right', show: (_, row) => String(row.shown) },
    ],
    rows: rows.filter(([, value]) => value !== null).map(([what, value, shown]) => ({ what, value, shown })),
  };
}
