/** One line of a CSV file (RFC 4180), without its end. */
export const csvLine = (cells: readonly (string | number | undefined)[]): string =>
  cells.map((cell) => quote(String(cell ?? ''))).join(',');

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
