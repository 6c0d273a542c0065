import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ScoredRun } from '../metrics/score-run.ts';
import { sweepPartial, writeAtomic } from '../run/atomic.ts';
import { buildReport } from './build.ts';
import { reportHtml } from './formats/html.ts';

export interface WrittenReport {
  /** Path of the file. */
  readonly report: string;
  readonly bytes: number;
}

/** Writes `report.html` into the run folder, from what the folder holds and nothing else. */
export async function writeReport(run: string, scored?: ScoredRun): Promise<WrittenReport> {
  const { report, version } = await buildReport(run, scored);
  await writeAtomic(resolve(run), 'report.html', reportHtml(report, { version }));
  await sweepPartial(resolve(run));
  const path = join(resolve(run), 'report.html');
  return { report: path, bytes: (await stat(path)).size };
}
