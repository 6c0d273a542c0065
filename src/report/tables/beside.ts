import type { Analysis, AnalysisTerm } from '../../contracts/analysis.ts';
import type { ColumnTable as CsvTable } from '../../metrics/analyze/table.ts';
import type { ReportColumn, ReportTable } from '../document.ts';

/** A coefficient as printed elsewhere; the text is kept, because its digits say how exactly it is known. */
export type PrintedTerm = Readonly<Record<(typeof printedColumns)[number], string>>;
const printedColumns = ['term', 'estimate', 'se', 'low', 'high', 't', 'p', 'stars'] as const;

/** A CSV with the columns `term,estimate,se,low,high,t,p,stars`. */
export function readPrinted(table: CsvTable): PrintedTerm[] {
  const columns = printedColumns.map((name) => table.text(name));
  return Array.from({ length: table.rowCount }, (_, row) =>
    Object.fromEntries(printedColumns.map((name, i) => [name, columns[i].levels[columns[i].codes[row]]])),
  ) as PrintedTerm[];
}

const values: Record<string, (term: AnalysisTerm) => number | string | null> = {
  estimate: ({ estimate }) => estimate,
  se: ({ se }) => se,
  low: ({ ci }) => ci?.[0] ?? null,
  high: ({ ci }) => ci?.[1] ?? null,
  // Prism prints t without its sign.
  t: ({ statistic }) => (statistic === null ? null : Math.abs(statistic)),
  p: ({ p }) => p,
  stars: ({ stars }) => stars,
};

/** The fitted coefficients beside printed ones, each to as many digits as are printed. */
export function besideTable({ terms }: Pick<Analysis, 'terms'>, printed: readonly PrintedTerm[]): ReportTable {
  const rows = printed.map((row) => {
    const term = terms.find((candidate) => candidate.term === row.term);
    const shown = Object.entries(values).map(([key, of]) => [key, term ? toDigits(of(term), row[key as 'p']) : null]);
    const fitted = Object.fromEntries(shown) as Record<string, string | null>;
    const same = Object.keys(values).every((key) => fitted[key] === row[key as 'p']);
    const both = Object.keys(values).flatMap((key) => [
      [key, fitted[key]],
      [`${key}Printed`, row[key as 'p']],
    ]);
    return { term: row.term, ...Object.fromEntries(both), same: same ? 'yes' : 'no' };
  });
  const pair = (key: string, label: string): ReportColumn[] => [
    { key, label, align: 'right' },
    { key: `${key}Printed`, label: 'printed', align: 'right' },
  ];
  const agreeing = rows.filter(({ same }) => same === 'yes').length;
  return {
    id: 'beside',
    title: 'Fitted and printed, side by side',
    note: `${agreeing} of ${rows.length} rows agree in every printed digit. Printed values are rounded; ours are shown to the same digits. t is printed without its sign.`,
    columns: [
      { key: 'term', label: 'Term' },
      ...pair('estimate', 'Estimate'),
      ...pair('se', 'SE'),
      ...pair('low', 'From'),
      ...pair('high', 'to'),
      ...pair('t', '|t|'),
      ...pair('p', 'P'),
      ...pair('stars', 'Stars'),
      { key: 'same', label: 'Same' },
    ],
    rows,
  };
}

function toDigits(value: number | string | null, printed: string): string | null {
  if (value === null || typeof value === 'string') return value;
  if (printed.startsWith('<')) return value < Number(printed.slice(1)) ? printed : String(value);
  return value.toFixed(printed.split('.')[1]?.length ?? 0);
}
