import { type Cell, type Figure, type Report, type Table, tablesOf } from '../document.ts';

/** Values as they are, not as they are shown: fractions stay fractions. */
export function tableCsv({ columns, rows }: Table): string {
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

const toCsv = (keys: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string =>
  `${[keys, ...rows.map((row) => keys.map((key) => row[key]))].map((cells) => cells.map(field).join(',')).join('\n')}\n`;

/** A word that a spreadsheet would run as a formula is made a plain word. */
function field(value: Cell | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
