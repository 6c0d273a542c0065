import type { z } from 'zod';
import type { Comparison, SegmentationComparison } from '../contracts/comparison.ts';
import type { configSchema } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Score } from '../contracts/score.ts';
import { type AnalyzePathOptions, analyzePath } from '../metrics/analyze/analyze-path.ts';
import { analysisFamilies } from '../metrics/analyze/options.ts';
import { type ComparePathsOptions, comparePaths } from '../metrics/compare/compare-paths.ts';
import { countChoices } from '../metrics/counted.ts';
import type { ScoreOptions } from '../metrics/score/options.ts';
import { loadScoredRun, scorePath } from '../metrics/score-run.ts';
import { compareSegmentationPaths } from '../metrics/segmentation/compare-segmentation-paths.ts';
import { segmentsOnly } from '../metrics/segmentation/read.ts';
import type { ReportFormat } from '../report/write-files.ts';
import { parseConfig, pathsFrom } from '../run/settings.ts';
import { heteroscedasticKinds } from '../stats/covariance.ts';
import { withAddresses } from '../storage/shown.ts';
import { readingAt, writingAt } from './at-place.ts';
import { checkChoice } from './check.ts';
import type { RunConfigOptions } from './execute-config.ts';
import { executeConfig } from './execute-config.ts';

/** The fields of `sceneshift.yaml`; relative paths are meant from the working directory. */
export type RunSettings = z.input<typeof configSchema>;

/** Options of a call that are not settings: none of them changes a result. */
export type RunCallOptions = Omit<RunConfigOptions, 'out' | 'share' | 'answerElsewhere'>;

export interface RunResult {
  /** The run folder. */
  readonly run: string;
  readonly rows: number;
  readonly errors: readonly ErrorLine[];
  readonly seconds: number;
  readonly interrupted: boolean;
  readonly score: Score;
  /** Path of the report. */
  readonly report: string;
}

/** As `sceneshift run`: every model on every scenario, scores and a report. The same call continues where it stopped. */
export async function run(settings: RunSettings, options: RunCallOptions = {}): Promise<RunResult> {
  const config = parseConfig(pathsFrom(process.cwd(), settings), 'the settings');
  if (!config.models.length) throw new UserError('Expected at least one model in models of the settings');
  const place = config.out ?? 'runs/latest';
  return writingAt(place, async (out) => {
    const summary = await executeConfig(config, { ...options, out });
    const scored = await loadScoredRun(summary.run);
    const { writeReport } = await import('../report/index.ts');
    const { report } = await writeReport(summary.run, scored);
    const { run: folder, rows, errors, seconds, interrupted } = summary;
    const [shown, page] = [folder, report].map(withAddresses);
    return { run: shown, rows, errors, seconds, interrupted, score: scored.score, report: page };
  });
}

/** As `sceneshift score`: of a run folder, a predictions table or an accuracy table. */
export async function score(path: string, options: ScoreOptions = {}): Promise<Score> {
  checkChoice(options.count, countChoices, 'count');
  return readingAt(path, (run) => scorePath(run, options));
}

/** As `sceneshift analyze`: the regression of a run folder or a table. */
export async function analyze(path: string, options: AnalyzePathOptions = {}) {
  checkChoice(options.family, analysisFamilies, 'family');
  checkChoice(options.robust, heteroscedasticKinds, 'robust');
  checkChoice(options.count, countChoices, 'count');
  return readingAt(path, (run) => analyzePath(run, options));
}

/** As `sceneshift compare`: two runs, or two models of one; one entry for each pair of models. */
export async function compare(
  a: string,
  b?: string,
  options: ComparePathsOptions = {},
): Promise<(Comparison | SegmentationComparison)[]> {
  checkChoice(options.count, countChoices, 'count');
  const both = async (first: string, second?: string) =>
    (await segmentsOnly(first))
      ? compareSegmentationPaths(first, second, options)
      : (await comparePaths(first, second, options)).map(({ comparison }) => comparison);
  return readingAt(a, (first) => (b === undefined ? both(first) : readingAt(b, (second) => both(first, second))));
}

export interface ReportOptions {
  readonly format?: ReportFormat;
  /** One table alone, by its id. */
  readonly table?: string;
}

/** As `sceneshift report`: the report of a run folder as one text. */
export async function report(path: string, { format = 'html', table }: ReportOptions = {}): Promise<string> {
  const { buildReport } = await import('../report/build.ts');
  const { reportFormats, reportText } = await import('../report/write-files.ts');
  checkChoice(format, reportFormats, 'format');
  return readingAt(path, async (run) => reportText(await buildReport(run), format, { table }));
}
