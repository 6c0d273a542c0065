import { escapeLatex as latex } from '../../formats/escape.ts';
import { type Report, type ReportTable, showCell, tablesOf } from '../document.ts';

/** A `booktabs` table; needs `\usepackage{booktabs}` and a Unicode engine or `inputenc`. */
export function tableLatex({ id, title, note, columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]) => `    ${cells.map(latex).join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${latex(title)}.${note ? ` ${latex(note)}` : ''}}`,
    `  \\label{tab:${id}}`,
    `  \\begin{tabular}{${columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('')}}`,
    '    \\toprule',
    line(columns.map(({ label }) => label)),
    '    \\midrule',
    ...rows.map((row) => line(columns.map((column) => showCell(column, row)))),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

export const reportLatex = (report: Report): string =>
  `% ${report.subtitle}\n% \\usepackage{booktabs}\n\n${tablesOf(report).map(tableLatex).join('\n\n')}\n`;
