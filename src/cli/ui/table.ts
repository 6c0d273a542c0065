export interface Column<T> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortened first when the table is wider than the terminal. */
  readonly flexible?: boolean;
  cell(row: T): string;
}

/** A plain-text table that fits the terminal: flexible columns are shortened with `…` until it does. */
export function table<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width = process.stdout.columns ?? 100,
): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, j) =>
    Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[j]))),
  );
  let over = widths.reduce((sum, w) => sum + w + 2, -2) - width;
  for (const [j, column] of columns.entries()) {
    if (!column.flexible || over <= 0) continue;
    const cut = Math.min(over, Math.max(0, widths[j] - 8));
    widths[j] -= cut;
    over -= cut;
  }
  const line = (texts: string[]) =>
    texts
      .map((text, j) => {
        const fitted = shorten(text, widths[j]);
        const gap = ' '.repeat(Math.max(0, widths[j] - textWidth(fitted)));
        return columns[j].align === 'right' ? gap + fitted : fitted + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), line(widths.map((w) => '─'.repeat(w))), ...cells.map(line)].join(
    '\n',
  );
}

const textWidth = (text: string) => [...text].length;

/** Cut to the width, the cut marked with `…`. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}

export const percent = (fraction: number | null | undefined, digits = 1): string =>
  fraction === null || fraction === undefined || Number.isNaN(fraction) ? '–' : `${(100 * fraction).toFixed(digits)} %`;
