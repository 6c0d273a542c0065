import type { Analysis } from '../../contracts/analysis.ts';
import { equalsP, significantOf } from '../../contracts/numbers.ts';
import type { ReportTable } from '../document.ts';

/** How well the regression fits, as the supplement's Fig. 8 lists it. */
export function fitTable({ n, df, r2, adjR2, multipleR, syx, rmse, ss, f, aicc }: Analysis): ReportTable {
  const rows: [string, number | null, string][] = [
    ['Rows', n, String(n)],
    ['Degrees of freedom', df, String(df)],
    ['Multiple R', multipleR, significantOf(multipleR)],
    ['R²', r2, significantOf(r2)],
    ['Adjusted R²', adjR2, significantOf(adjR2)],
    ['Sy.x, √(SS/df)', syx, significantOf(syx)],
    ['RMSE, √(SS/n)', rmse, significantOf(rmse)],
    ['Residual sum of squares', ss?.residual ?? null, significantOf(ss?.residual)],
    ['AICc', aicc, significantOf(aicc, 6)],
    [
      f ? `F(${f.df1}, ${f.df2})` : 'F',
      f?.statistic ?? null,
      f ? `${significantOf(f.statistic)}, ${equalsP(f.p)}` : '–',
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
