import { basename, resolve } from 'node:path';
import type { Analysis } from '../../contracts/analysis.ts';
import { UserError } from '../../contracts/errors.ts';
import { type MiningRecord, miningRecordSchema, type Released, releasedSchema } from '../../contracts/mining.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import { type RemedyComparison, remedyComparisonSchema } from '../../contracts/remedies.ts';
import type { RunRecord } from '../../contracts/run-record.ts';
import type { Score } from '../../contracts/score.ts';
import { analyze } from '../../metrics/analyze/analyze.ts';
import type { ColumnTable } from '../../metrics/analyze/table.ts';
import { type AnswerColumns, answersFrom } from '../../metrics/answers/answer-columns.ts';
import { type FoldCell, foldCells } from '../../metrics/answers/fold-cells.ts';
import { type ClassCell, classCells } from '../../metrics/answers/hardest-classes.ts';
import { rankModels } from '../../metrics/rank/rank.ts';
import { inOrder } from '../../metrics/score/order.ts';
import { loadScoredRun, type ScoredRun } from '../../metrics/score-run.ts';
import { segmentationFormula, segmentationRegression } from '../../metrics/segmentation/regression.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import { readDocument, readErrorLines, readRunRecord } from '../../run/folder/index.ts';
import { repeatYaml } from '../repeat-command.ts';
import { loadMinedPictures, type MinedPicture } from './mined-pictures.ts';
import { type LoadedPictures, loadPictures } from './pictures.ts';
import { type LoadedSaliency, loadSaliency } from './saliency.ts';
import { type TrainedModel, trainedModels } from './training.ts';
import { readTrainingRows } from './training-rows.ts';

/** All that the sections speak about; everything comes from the run folder. */
export interface ReportData {
  readonly run: string;
  readonly name: string;
  readonly record: RunRecord;
  readonly score: Score;
  /** Models in the order they are shown: best over the shifts first. */
  readonly models: readonly string[];
  /** Scenarios in the run's order, `original` first. */
  readonly scenarios: readonly string[];
  /** Null where the run has no predictions (segmentation alone). */
  readonly answers: AnswerColumns | null;
  readonly classes: readonly ClassCell[];
  readonly folds: readonly FoldCell[];
  readonly analysis: Analysis | null;
  /** Why there is no regression. */
  readonly analysisMissing: string | null;
  /** The same of IoU, where the run segments. */
  readonly segmentationAnalysis: Analysis | null;
  /** Models of which the run has heads. */
  readonly training: readonly TrainedModel[];
  /** What was tried against the losses. */
  readonly helps: RemedyComparison | null;
  readonly pictures: LoadedPictures;
  /** Null where the run was not explained. */
  readonly saliency: LoadedSaliency | null;
  /** What `mine` chose and measured, and what it released. */
  readonly mining: MiningRecord | null;
  readonly released: Released | null;
  /** Some of the pictures it chose, small. */
  readonly minedPictures: readonly MinedPicture[];
  readonly errors: readonly ErrorLine[];
  /** The settings that give this run again, as a file. */
  readonly settings: string | null;
}

/** `scored`: the run as it was scored already, so that nothing is read or computed twice. */
export async function loadReportData(folder: string, scored?: ScoredRun): Promise<ReportData> {
  const run = resolve(folder);
  const [record, errors] = [await readRunRecord(run), await readErrorLines(run)];
  const loaded = scored ?? (await loadScoredRun(run));
  const { score, table } = loaded;
  const rank = ranksShifts(record.scenarios) && score.models.length > 1 ? rankOf(loaded) : undefined;
  const answers = table && answersFrom(table);
  const remedy = 'sceneshift mine writes it again';
  const mining = (await readDocument(run, 'mining.json', miningRecordSchema, { remedy })) ?? null;
  const models = inOrder(score.models).map(({ model }) => model);
  const present = new Set(score.models.flatMap((model) => model.scenarios.map(({ scenario }) => scenario)));
  const listed = record.scenarios.filter((scenario) => present.has(scenario));
  const scenarios = [...new Set([originalScenario, ...listed, ...present])].filter((name) => present.has(name));
  return {
    run,
    name: basename(run),
    record,
    score: { ...score, ...(rank && { rank }) },
    models,
    scenarios,
    answers,
    classes: answers ? classCells(answers) : [],
    folds: answers ? foldCells(answers) : [],
    ...regression(table),
    segmentationAnalysis: loaded.segmentation && segmentationAnalysis(loaded.segmentation),
    training: trainedModels({ table, rows: await readTrainingRows(run), record, scenarios }),
    helps: await readHelps(run),
    pictures: await loadPictures(run),
    saliency: await loadSaliency(run),
    mining,
    minedPictures: await loadMinedPictures(run, mining),
    released:
      (await readDocument(run, 'released.json', releasedSchema, {
        remedy: 'sceneshift mine RUN --release writes it again',
      })) ?? null,
    errors,
    settings: await repeatYaml(record),
  };
}

function regression(table: ColumnTable | null): Pick<ReportData, 'analysis' | 'analysisMissing'> {
  if (!table) return { analysis: null, analysisMissing: null };
  try {
    const analysis = analyze(table);
    if (analysis.terms.length < 2) return { analysis: null, analysisMissing: 'One cell alone: nothing to compare.' };
    return { analysis, analysisMissing: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { analysis: null, analysisMissing: error.message };
  }
}

/** Camera and light: runs of these ask which model to take. */
const ranksShifts = (scenarios: readonly string[]): boolean =>
  scenarios.some((name) => /^(camera-shift|lighting|white-balance)\b/.test(name));

/** None where the models share no scenario. */
function rankOf({ predictions }: ScoredRun): Score['rank'] {
  try {
    return predictions ? rankModels(predictions) : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

function segmentationAnalysis(rows: ColumnTable): Analysis | null {
  try {
    const cells = segmentationRegression(rows, { rows: 'cell' });
    const analysis = analyze(cells, { formula: segmentationFormula(cells) });
    return analysis.terms.length < 2 ? null : analysis;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}

async function readHelps(run: string): Promise<RemedyComparison | null> {
  return (
    (await readDocument(run, 'helps.json', remedyComparisonSchema, { remedy: 'sceneshift helps writes it again' })) ??
    null
  );
}
