import { textWidth } from './wrap.ts';

export interface TextColumnSpec<T> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortened with `…` when the table is wider than the terminal and no column may be left out any more. */
  readonly flexible?: boolean;
  /** Left out when the table is too wide, the highest number first; JSON and wider terminals have it. */
  readonly spare?: number;
  cell(row: T): string;
}

const gap = 2;
const leastFlexible = 8;

/** A plain-text table that fits the terminal: spare columns go first, then the widest flexible ones are shortened. */
export function table<T>(rows: readonly T[], columns: readonly TextColumnSpec<T>[], width = textWidth()): string {
  let kept = columns.map((column) => {
    const cells = rows.map((row) => column.cell(row));
    return { column, cells, width: Math.max(widthOf(column.title), ...cells.map(widthOf)) };
  });
  const over = () => kept.reduce((sum, one) => sum + one.width + gap, -gap) - width;
  while (over() > 0) {
    const spare = kept.reduce((most, { column }) => Math.max(most, column.spare ?? 0), 0);
    if (!spare) break;
    kept = kept.filter(({ column }) => column.spare !== spare);
  }
  while (over() > 0) {
    const flexible = kept.filter((one) => one.column.flexible && one.width > leastFlexible);
    if (!flexible.length) break;
    flexible.reduce((widest, one) => (one.width > widest.width ? one : widest)).width--;
  }
  // A terminal narrower than anything here was made for.
  while (over() > 0 && kept.length > 2) kept = kept.slice(0, -1);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, j) => {
        const fitted = shorten(text, kept[j].width);
        const space = ' '.repeat(Math.max(0, kept[j].width - widthOf(fitted)));
        return kept[j].column.align === 'right' ? space + fitted : fitted + space;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    line(kept.map(({ column }) => column.title)),
    line(kept.map((one) => '─'.repeat(one.width))),
    ...rows.map((_, i) => line(kept.map(({ cells }) => cells[i]))),
  ].join('\n');
}

const widthOf = (text: string) => [...text].length;

/** Cut to the width, the cut marked with `…`. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}
