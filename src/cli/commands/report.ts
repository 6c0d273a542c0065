import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { parseReferences } from '../../metrics/analyze/options.ts';
import { buildReport } from '../../report/build.ts';
import { regressionPage } from '../../report/regression-page.ts';
import { type ReportFormat, reportFormats, reportText, writeParts } from '../../report/write-files.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';
import { version } from '../version.ts';

export const report = defineCommand({
  name: 'report',
  summary: 'The report of a run, again: one HTML file, or its tables for a paper or a program.',
  args: ['RUN|TABLE.csv'],
  options: {
    format: { type: 'string', choices: reportFormats, default: 'html', describe: 'what to write' },
    out: {
      type: 'string',
      value: 'FILE|DIR/',
      describe: 'where to; html: RUN/report.html, else standard output. DIR/: one file per table and figure',
    },
    table: { type: 'string', value: 'ID', describe: 'one table alone: scores, drops, regression … (md, csv, latex)' },
    formula: { type: 'string', value: 'FORMULA', describe: 'of a TABLE.csv: the regression to show, as for analyze' },
    reference: {
      type: 'string',
      value: 'VARIABLE=LEVEL,…',
      multiple: true,
      describe: 'of a TABLE.csv: as for analyze',
    },
    order: { type: 'string', value: 'COLUMN', describe: 'of a TABLE.csv: column for the plot of residual by order' },
    beside: {
      type: 'string',
      value: 'PRINTED.csv',
      describe: 'of a TABLE.csv: printed coefficients (term,estimate,se,low,high,t,p,stars) to show beside',
    },
  },
  examples: [
    'sceneshift report runs/first',
    'sceneshift report runs/first --format latex --table regression',
    'sceneshift report runs/first --format csv --out paper/',
    "sceneshift report accuracy.csv --formula 'accuracy ~ model + scenario + class' --order row --out page.html",
  ],
  async run(values, [path]) {
    const format = values.format as ReportFormat;
    const built = /\.csv$/i.test(path)
      ? {
          report: await regressionPage(path, {
            formula: values.formula,
            references: parseReferences(values.reference),
            order: values.order,
            beside: values.beside,
          }),
          version: version(),
        }
      : await buildReport(path);
    if (values.out && (await isFolder(values.out))) {
      if (format === 'html' || format === 'json')
        throw expected(
          'a file',
          `--out with --format ${format}`,
          values.out,
          'a folder holds tables: md, csv or latex',
        );
      const files = await writeParts(built.report, format, values.out);
      print(values.json, { files }, () => `${files.length} files in ${resolve(values.out as string)}`);
      return 0;
    }
    const text = reportText(built, format, { table: values.table });
    const out = values.out ?? (format === 'html' && 'data' in built ? join(path, 'report.html') : undefined);
    if (!out) {
      process.stdout.write(text);
      return 0;
    }
    await replaceFile(resolve(out), text);
    const bytes = Buffer.byteLength(text);
    print(values.json, { report: resolve(out), bytes }, () => `${resolve(out)}  ${fixedOf(bytes / 1e6, 2)} MB`);
    return 0;
  },
});

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
