import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { buildReport } from '../../report/build.ts';
import { type ReportFormat, reportFormats, reportText, writeParts } from '../../report/write-files.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';

export const report = defineCommand({
  name: 'report',
  summary: 'The report of a run, again: one HTML file, or its tables for a paper or a program.',
  args: ['RUN'],
  options: {
    format: { type: 'string', choices: reportFormats, default: 'html', describe: 'what to write' },
    out: {
      type: 'string',
      value: 'FILE|DIR/',
      describe: 'where to; html: RUN/report.html, else standard output. DIR/: one file per table and figure',
    },
    table: { type: 'string', value: 'ID', describe: 'one table alone: scores, drops, regression … (md, csv, latex)' },
  },
  examples: [
    'sceneshift report runs/first',
    'sceneshift report runs/first --format latex --table regression',
    'sceneshift report runs/first --format csv --out paper/',
  ],
  async run(values, [run]) {
    const format = values.format as ReportFormat;
    const built = await buildReport(run);
    if (values.out && (await isFolder(values.out))) {
      if (format === 'html' || format === 'json')
        throw expected(
          'a file',
          `--out with --format ${format}`,
          values.out,
          'a folder holds tables: md, csv or latex',
        );
      const files = await writeParts(built, format, values.out);
      print(values.json, { files }, () => `${files.length} files in ${resolve(values.out as string)}`);
      return 0;
    }
    const text = reportText(built, format, { table: values.table });
    const out = values.out ?? (format === 'html' ? join(run, 'report.html') : undefined);
    if (!out) {
      process.stdout.write(text);
      return 0;
    }
    await mkdir(dirname(resolve(out)), { recursive: true });
    await writeFile(out, text);
    const bytes = Buffer.byteLength(text);
    print(values.json, { report: resolve(out), bytes }, () => `${resolve(out)}  ${(bytes / 1e6).toFixed(2)} MB`);
    return 0;
  },
});

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
