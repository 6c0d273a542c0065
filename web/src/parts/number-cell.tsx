import type { ComponentChildren } from 'preact';

interface NumberCellProps {
  /** The pictures behind the number; undefined where there are none. */
  readonly to: string | undefined;
  readonly title?: string;
  /** `right` or `wrong`, where the number says so beyond chance. */
  readonly tone?: string;
  readonly children: ComponentChildren;
}

/** A number in a table, and the way to the pictures behind it. */
export const NumberCell = ({ to, title, tone = '', children }: NumberCellProps) => (
  <td class={`number ${tone}`.trim()} title={title}>
    {to === undefined ? children : <a href={to}>{children}</a>}
  </td>
);
