import { join } from 'node:path';
import { expected } from '../contracts/errors.ts';
import { replaceFile } from '../formats/replace-file.ts';
import type { Built } from './build.ts';
import { figuresOf, type Report, type ReportTable, tablesOf } from './document.ts';
import { figureCsv, reportCsv, tableCsv } from './formats/csv.ts';
import { reportHtml } from './formats/html.ts';
import { reportJson } from './formats/json.ts';
import { reportLatex, tableLatex } from './formats/latex.ts';
import { reportMarkdown, tableMarkdown } from './formats/markdown.ts';

export const reportFormats = ['html', 'md', 'csv', 'latex', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The report as one text; with `table`, that table alone. */
export function reportText(built: Built, format: ReportFormat, { table }: { table?: string } = {}): string {
  if (table !== undefined) return `${tableText(findTable(built, table), format).trimEnd()}\n`;
  const { report, version } = built;
  if (format === 'html') return reportHtml(report, { version });
  if (format === 'md') return reportMarkdown(report);
  if (format === 'csv') return reportCsv(report);
  return format === 'latex' ? reportLatex(report) : reportJson(built);
}

function findTable({ report }: Built, id: string): ReportTable {
  const tables = tablesOf(report);
  const found = tables.find((table) => table.id === id);
  if (!found) throw expected(`one of ${tables.map((table) => table.id).join(', ')}`, '--table', id);
  return found;
}

function tableText(table: ReportTable, format: ReportFormat): string {
  if (format === 'csv') return tableCsv(table);
  if (format === 'latex') return tableLatex(table);
  if (format === 'md') return tableMarkdown(table);
  throw expected('csv, latex or md', '--format beside --table', format);
}

const endings = { md: 'md', csv: 'csv', latex: 'tex' } as const;

/** One file per table in the given format, one SVG and one CSV per figure. Returns the paths. */
export async function writeParts(report: Report, format: keyof typeof endings, folder: string): Promise<string[]> {
  const parts: [name: string, text: string][] = [
    ...tablesOf(report).map((table): [string, string] => [
      `tables/${table.id}.${endings[format]}`,
      `${tableText(table, format).trimEnd()}\n`,
    ]),
    ...figuresOf(report).flatMap((figure): [string, string][] => [
      [`figures/${figure.id}.svg`, figure.svg],
      [`figures/${figure.id}.csv`, figureCsv(figure)],
    ]),
  ];
  const paths = parts.map(([name]) => join(folder, name));
  for (const [i, path] of paths.entries()) await replaceFile(path, parts[i][1]);
  return paths;
}
