import type { ModelScore, Robustness } from '../../contracts/score.ts';
import { type CountedScenarios, isCounted, mayBeWorst } from '../counted.ts';
import { type AnswerCell, type ModelCells, mainCells, originalScenario } from '../table/cells.ts';
import { accuracies, accuracyInfluence, type ClusterSums, clusterSums } from '../table/cluster-sums.ts';
import type { Predictions } from '../table/predictions.ts';
import { alarmsFor } from '../verdict/alarms.ts';
import { verdictOf } from '../verdict/verdict.ts';
import { backgroundAnswer } from './background.ts';
import { spreadOf } from './distribution.ts';
import { firstVersion } from './first-version.ts';
import { muOf, type ScoreOptions } from './options.ts';
import { type Draws, expandedInterval, resampledAccuracies } from './resample.ts';
import { deviationsByCluster, robustnessOf, type ScoreParts } from './robustness.ts';
import { robustnessSentence } from './robustness-sentence.ts';
import { classRows, scenarioRows } from './scenario-rows.ts';

/** A model's score, and what comparisons between models need of it. */
export interface ScoredModel {
  readonly score: ModelScore;
  /** The counted scenarios (or `original`, where there is none) over the clusters. */
  readonly shifted: ClusterSums;
  /** By resample: the mean accuracy over the counted scenarios. */
  readonly resampledMean: Float64Array;
  /** By resample: the debiased robustness score; undefined where there is none. */
  readonly resampledRobustness: Float64Array | undefined;
}

export function scoreModel(
  predictions: Predictions,
  model: ModelCells,
  draws: Draws,
  options: ScoreOptions,
): ScoredModel {
  const main = mainCells(model);
  const scenarios = scenarioRows(predictions, main, draws);
  const sums = clusterSums(main, predictions.cluster, predictions.correct);
  const replicates = resampledAccuracies(draws, sums);
  const robust = robustness(predictions, model, { draws, options, main, sums, replicates });
  const counted = countedCells(main, options.count);
  const mu = muOf(options, model.model);
  const classes = predictions.label.levels.length;
  const alarms = alarmsFor(
    model.model,
    scenarios.find(({ scenario }) => scenario === originalScenario),
    classes,
  );
  const guessing = alarms.some(({ kind }) => kind === 'guessing');
  const verdict = verdictOf(model.model, predictions, [...main, ...trialsOf(model, main)], {
    margin: options.margin,
    guessing,
  });
  const filled = scenarios.map((row) =>
    row.drop === null && row.scenario !== originalScenario && mu !== undefined
      ? { ...row, drop: mu - row.top1, dropCi: row.ci && ([mu - row.ci[1], mu - row.ci[0]] as [number, number]) }
      : row,
  );
  return {
    score: {
      model: model.model,
      scenarios: filled,
      verdict,
      ...(alarms.length && { alarms }),
      robustness: withoutPraise(robust.robustness, guessing),
      ...dropSummary(filled, main, { replicates, draws, mu, count: options.count }),
      overShifts: overShifts(main, replicates, draws, accuracies(sums), options.count),
      ...(options.byClass && { classes: classRows(predictions, main, draws) }),
      ...headTables(predictions, model, main, draws),
      distribution: distributions(predictions, withOriginal(main, options.count)),
      background: guessing ? null : backgroundAnswer(filled, { classes, verdict }),
    },
    shifted: counted === main ? sums : clusterSums(counted, predictions.cluster, predictions.correct),
    resampledMean: meanPerReplicate(replicates, main, counted),
    resampledRobustness: robust.resampled,
  };
}

/** Of the same head. */
const trialsOf = ({ borderTrials }: ModelCells, [first]: readonly AnswerCell[]): readonly AnswerCell[] =>
  borderTrials.filter(({ trained }) => trained === first?.trained);

/** A model that guesses loses nothing anywhere, so its high robustness score would mislead. */
const withoutPraise = (robustness: Robustness | null, guessing: boolean): Robustness | null =>
  robustness && guessing
    ? { ...robustness, words: 'The score says nothing here: a model that guesses loses nothing.' }
    : robustness;

/** The cells of the scenarios that count; where there are none, those of the original images. */
function countedCells(main: readonly AnswerCell[], count: CountedScenarios | undefined): readonly AnswerCell[] {
  const counted = main.filter(({ scenario }) => isCounted(scenario, count));
  if (counted.length) return counted;
  const original = main.filter(({ scenario }) => scenario === originalScenario);
  return original.length ? original : main;
}

const withOriginal = (cells: readonly AnswerCell[], count: CountedScenarios | undefined): AnswerCell[] =>
  cells.filter(({ scenario }) => scenario === originalScenario || isCounted(scenario, count));

/** Mean accuracy over the counted scenarios, each counting alike; null where there is none. */
function overShifts(
  main: readonly AnswerCell[],
  replicates: Float64Array,
  { clusters }: Draws,
  accuracy: Float64Array,
  count: CountedScenarios | undefined,
): ModelScore['overShifts'] {
  const counted = main.filter(({ scenario }) => isCounted(scenario, count));
  if (!counted.length) return null;
  const value = counted.reduce((sum, cell) => sum + accuracy[main.indexOf(cell)] / counted.length, 0);
  return {
    accuracy: value,
    ci: expandedInterval(meanPerReplicate(replicates, main, counted), clusters),
    scenarios: counted.length,
  };
}

function headTables(predictions: Predictions, { heads }: ModelCells, main: readonly AnswerCell[], draws: Draws) {
  const others = [...heads].filter(([, cells]) => cells.some((cell) => !main.includes(cell)));
  if (others.length === 0) return {};
  return { heads: others.map(([trained, cells]) => ({ trained, scenarios: scenarioRows(predictions, cells, draws) })) };
}

interface MainHead {
  readonly draws: Draws;
  readonly options: ScoreOptions;
  readonly main: readonly AnswerCell[];
  readonly sums: ClusterSums;
  readonly replicates: Float64Array;
}

function robustness(
  predictions: Predictions,
  model: ModelCells,
  { draws, options, main, sums: mainSums, replicates }: MainHead,
): { robustness: Robustness | null; resampled?: Float64Array } {
  const found = partsOf(model, muOf(options, model.model), options.count);
  if (!found) return { robustness: null };
  const { parts, cells } = found;
  // Without heads the parts are the main cells, in the same order.
  const same = cells.length === main.length && cells.every((cell, i) => cell === main[i]);
  const sums = same ? mainSums : clusterSums(cells, predictions.cluster, predictions.correct);
  const score = robustnessOf({ parts, accuracy: accuracies(sums), deviations: deviationsByCluster(parts, sums) });
  if (!score) return { robustness: null };
  const full: Robustness = {
    ...score,
    classesCi: overClasses(predictions, parts, cells),
    v1: firstVersionOf(predictions, model, options.count),
  };
  return {
    robustness: { ...full, words: robustnessSentence(full) },
    resampled: resampledScores(parts, sums.cells, same ? replicates : resampledAccuracies(draws, sums), score),
  };
}

/** Where heads were trained all parts come from the heads; in-scenario heads are those tested where they were trained. */
function partsOf(
  { heads }: ModelCells,
  mu: number | undefined,
  count: CountedScenarios | undefined,
): { parts: ScoreParts; cells: AnswerCell[] } | undefined {
  const base = heads.get(originalScenario) ?? heads.get('');
  if (!base) return undefined;
  const cells: AnswerCell[] = [];
  const place = (cell: AnswerCell) => ({ scenario: cell.scenario, cell: cells.push(cell) - 1 });
  const original = base.find(({ scenario }) => scenario === originalScenario);
  if (!original && mu === undefined) return undefined;
  const muPart = mu !== undefined ? { value: mu } : { cell: place(original as AnswerCell).cell };
  const cross = base.filter(({ scenario }) => isCounted(scenario, count)).map(place);
  const inner = [...heads].flatMap(([trained, own]) =>
    !isCounted(trained, count) ? [] : own.filter(({ scenario }) => scenario === trained).map(place),
  );
  return { parts: { mu: muPart, cross, inner }, cells };
}

/** The same interval with the classes as what was sampled: how would it change with other classes? */
function overClasses(
  predictions: Predictions,
  parts: ScoreParts,
  cells: readonly AnswerCell[],
): [number, number] | null {
  const { codes, levels } = predictions.label;
  if (levels.length < 3) return null;
  const sums = clusterSums(cells, { codes, count: levels.length }, predictions.correct);
  return robustnessOf({ parts, accuracy: accuracies(sums), deviations: deviationsByCluster(parts, sums) })?.ci ?? null;
}

function firstVersionOf(
  predictions: Predictions,
  model: ModelCells,
  count: CountedScenarios | undefined,
): Robustness['v1'] {
  const cells = withOriginal(
    (model.heads.get(originalScenario) ?? model.heads.get('')) as readonly AnswerCell[],
    count,
  );
  const scenarios = clusterSums(cells, predictions.cluster, predictions.correct);
  const byClass = classCells(predictions, cells);
  const clusters = predictions.cluster.count;
  const few = byClass.length + cells.length <= 80;
  const classes = few ? clusterSums(byClass, predictions.cluster, predictions.correct) : undefined;
  return firstVersion(
    { values: accuracies(scenarios), influence: accuracyInfluence(scenarios) },
    classes
      ? { values: accuracies(classes), influence: accuracyInfluence(classes) }
      : { values: Float64Array.from(classAccuracies(predictions, cells)) },
    clusters,
  );
}

function classCells({ label }: Predictions, cells: readonly AnswerCell[]): AnswerCell[] {
  const rows: number[][] = label.levels.map(() => []);
  for (const cell of cells) for (const row of cell.rows) rows[label.codes[row]].push(row);
  return rows
    .filter((own) => own.length > 0)
    .map((own) => ({ model: '', trained: '', scenario: '', rows: Uint32Array.from(own) }));
}

function classAccuracies({ label, correct }: Predictions, cells: readonly AnswerCell[]): number[] {
  const [right, n] = [new Float64Array(label.levels.length), new Float64Array(label.levels.length)];
  for (const { rows } of cells)
    for (const row of rows) {
      right[label.codes[row]] += correct[row];
      n[label.codes[row]]++;
    }
  return [...right].flatMap((sum, code) => (n[code] > 0 ? [sum / n[code]] : []));
}

/** Fewer images of a class say nothing about the shape of the classes' accuracies. */
const fewestPerClass = 5;

function distributions(predictions: Predictions, cells: readonly AnswerCell[]) {
  const byScenario = cells.map(
    ({ rows }) => rows.reduce((sum, row) => sum + predictions.correct[row], 0) / rows.length,
  );
  const perClass = (cells[0]?.rows.length ?? 0) / Math.max(1, predictions.label.levels.length);
  return [
    spreadOf('scenarios', byScenario),
    spreadOf('classes', classAccuracies(predictions, cells), { judged: perClass >= fewestPerClass }),
  ].filter((spread) => spread !== null);
}

// A resample adds its own noise to the sample's: the bias is taken off twice.
function resampledScores(
  parts: ScoreParts,
  cells: number,
  replicates: Float64Array,
  { score, debiased }: Robustness,
): Float64Array {
  const bias = debiased === null ? 0 : debiased - score;
  return Float64Array.from({ length: replicates.length / cells }, (_, b) => {
    const at = (cell: number) => replicates[b * cells + cell];
    const mu = 'cell' in parts.mu ? at(parts.mu.cell) : parts.mu.value;
    const spread = (cells: ScoreParts['cross']) =>
      cells.length ? cells.reduce((sum, { cell }) => sum + (at(cell) - mu) ** 2, 0) / cells.length : 0;
    return 1 - spread(parts.cross) - spread(parts.inner) + 2 * bias;
  });
}

function meanPerReplicate(
  replicates: Float64Array,
  main: readonly AnswerCell[],
  counted: readonly AnswerCell[],
): Float64Array {
  const places = counted.map((cell) => main.indexOf(cell));
  return Float64Array.from({ length: replicates.length / main.length }, (_, b) =>
    places.reduce((sum, place) => sum + replicates[b * main.length + place] / places.length, 0),
  );
}

/** The largest drop among the scenarios that a camera could have made. */
export function worstOf(rows: ModelScore['scenarios']): ModelScore['worst'] {
  const candidates = rows.filter(({ scenario, drop }) => drop !== null && mayBeWorst(scenario));
  if (!candidates.length) return null;
  const worst = candidates.reduce((most, row) => ((row.drop as number) > (most.drop as number) ? row : most));
  return { scenario: worst.scenario, drop: worst.drop as number, ci: worst.dropCi };
}

function dropSummary(
  rows: ModelScore['scenarios'],
  main: readonly AnswerCell[],
  {
    replicates,
    draws,
    mu,
    count,
  }: { replicates: Float64Array; draws: Draws; mu: number | undefined; count: CountedScenarios | undefined },
): Pick<ModelScore, 'meanDrop' | 'meanDropCi' | 'worst' | 'relativeDrop'> {
  const shifted = rows.filter((row) => row.drop !== null && isCounted(row.scenario, count));
  if (shifted.length === 0) return { meanDrop: null, meanDropCi: null, worst: null, relativeDrop: null };
  const drops = shifted.map(({ drop }) => drop as number);
  const meanDrop = drops.reduce((sum, drop) => sum + drop, 0) / drops.length;
  const original = main.findIndex(({ scenario }) => scenario === originalScenario);
  const base = original >= 0 ? rows[original].top1 : mu;
  const places = shifted.map(({ scenario }) => main.findIndex((cell) => cell.scenario === scenario));
  const byResample = Float64Array.from({ length: draws.replicates }, (_, b) => {
    const at = (cell: number) => replicates[b * main.length + cell];
    const from = original >= 0 ? at(original) : (mu as number);
    return places.reduce((sum, place) => sum + (from - at(place)) / places.length, 0);
  });
  return {
    meanDrop,
    meanDropCi: expandedInterval(byResample, draws.clusters),
    worst: worstOf(shifted),
    relativeDrop: base ? meanDrop / base : null,
  };
}
