import { basename } from 'node:path';
import { analyze } from '../metrics/analyze/analyze.ts';
import type { AnalyzeOptions } from '../metrics/analyze/options.ts';
import { readCsv } from '../metrics/csv.ts';
import type { Block, Report } from './document.ts';
import { regressionBlocks } from './sections/regression.ts';
import { besideTable, readPrinted } from './tables/beside.ts';

export interface RegressionPageOptions extends AnalyzeOptions {
  /** CSV of printed coefficients to show beside the fitted ones. */
  readonly beside?: string;
}

/** One page for one regression of a table: coefficients with stars, residual plots, tests, and printed values beside. */
export async function regressionPage(path: string, { beside, ...options }: RegressionPageOptions): Promise<Report> {
  const analysis = analyze(await readCsv(path), options);
  const printed: Block[] = beside
    ? [{ kind: 'table', table: besideTable(analysis, readPrinted(await readCsv(beside))) }]
    : [];
  return {
    title: 'What matters',
    subtitle: `${basename(path)} · ${analysis.formula} · ${analysis.n} rows`,
    sections: [{ id: 'regression', title: 'The regression', blocks: [...printed, ...regressionBlocks(analysis)] }],
  };
}
