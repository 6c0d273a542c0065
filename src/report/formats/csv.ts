import { spreadsheetCsv } from '../../formats/csv-write.ts';
import { type Figure, type Report, type ReportCell, type ReportTable, tablesOf } from '../document.ts';

/** Values as they are, not as they are shown: fractions stay fractions. */
export function tableCsv({ columns, rows }: ReportTable): string {
  return toCsv(
    columns.flatMap(({ key, with: more = [] }) => [key, ...more]),
    rows,
  );
}

export const figureCsv = ({ data }: Pick<Figure, 'data'>): string =>
  toCsv([...new Set(data.flatMap((row) => Object.keys(row)))], data);

/** Every model on every scenario, the table most programs want. */
export function reportCsv(report: Report): string {
  const tables = tablesOf(report);
  const table = tables.find(({ id }) => id === 'drops') ?? tables[0];
  return table ? tableCsv(table) : '';
}

const toCsv = (keys: readonly string[], rows: readonly Readonly<Record<string, ReportCell>>[]): string =>
  spreadsheetCsv(
    keys,
    rows.map((row) => keys.map((key) => row[key])),
  );
