import type { Comparison, DifferenceRow, Flip } from '../../contracts/comparison.ts';
import { UserError } from '../../contracts/errors.ts';
import { differenceByClusters } from '../../stats/cluster-mean.ts';
import { holm } from '../../stats/multiple.ts';
import { randomFor } from '../../stats/random.ts';
import { type CountedScenarios, isCounted } from '../counted.ts';
import { differenceOf, pairingWith } from '../score/drop.ts';
import { type ScoredModel, scoreModel } from '../score/model-score.ts';
import { resamplesFor } from '../score/options.ts';
import { type Draws, drawResamples, expandedInterval } from '../score/resample.ts';
import { type AnswerCell, cellsByModel, type ModelCells, mainCells } from '../table/cells.ts';
import { accuracies, accuracyInfluence, clusterSums, presentClusters } from '../table/cluster-sums.ts';
import type { Predictions } from '../table/predictions.ts';
import { joinSides, type Side } from './join.ts';
import { powerOf } from './power.ts';

export interface CompareOptions {
  readonly seed?: number;
  readonly bootstrap?: number;
  /** Difference that the power is asked for. */
  readonly detect?: number;
  /** What the mean and the robustness count. */
  readonly count?: CountedScenarios;
}

const mostFlips = 1000;

export interface Compared {
  readonly comparison: Comparison;
  readonly flips: readonly Flip[];
}

/** Two models, or one model in two runs, over the samples and scenarios that both have. */
export function compare(
  a: Side,
  b: Side,
  { seed = 0, bootstrap, detect = 0.02, count }: CompareOptions = {},
): Compared {
  const { joint, names } = joinSides(a, b);
  const models = cellsByModel(joint);
  if (models.length < 2) throw new UserError(`${joint.source} have no rows of ${a.model} and ${b.model}`);
  const [first, second] = models.map(mainCells);
  const shared = first.flatMap((cell) => {
    const other = second.find(({ scenario }) => scenario === cell.scenario);
    return other ? [[cell, other] as const] : [];
  });
  if (shared.length === 0)
    throw new UserError(
      `Nothing to compare: A has ${scenariosOf(first)}, B has ${scenariosOf(second)}; scenarios must have the same names`,
    );
  const clusters = joint.cluster.count;
  const replicates = resamplesFor({ bootstrap }, clusters, first.length + second.length);
  const draws = drawResamples(clusters, { random: randomFor('compare', seed), replicates });
  const rows = withHolm(shared.flatMap(([x, y]) => differenceRow(joint, x.scenario, x.rows, y.rows, draws)));
  if (rows.length === 0) throw new UserError('Nothing to compare: A and B have no sample in common');
  const flips = shared.flatMap(([x, y]) => flipsOf(joint, x, y));
  // Robustness over other scenarios is another number: only what both have is scored.
  const scored = models.map((model) => scoreModel(joint, onlyScenarios(model, shared), draws, { count }));
  const counted = shared.filter(([{ scenario }]) => isCounted(scenario, count));
  return {
    comparison: {
      a: { source: a.predictions.source, model: a.model },
      b: { source: b.predictions.source, model: b.model },
      overall: overallOf(joint, counted.length ? counted : shared),
      scenarios: rows,
      classes: withHolm(classDifferences(joint, shared, draws)),
      robustness: robustnessDifference(scored, draws),
      flipped: flips.length,
      flips: flips.slice(0, mostFlips),
      power: powerOf(rows, detect),
      only: { a: missing(first, second), b: missing(second, first) },
      notes: [
        ...(names.parts
          ? [`Samples are matched by the last ${names.parts === 1 ? 'part' : `${names.parts} parts`} of their paths.`]
          : []),
        ...notesFor(first, second, rows),
      ],
    },
    flips,
  };
}

/** A model's rows on the scenarios that both sides have; the heads of other scenarios go with them. */
function onlyScenarios(
  { model, heads }: ModelCells,
  shared: readonly (readonly [AnswerCell, AnswerCell])[],
): ModelCells {
  const names = new Set(shared.map(([{ scenario }]) => scenario));
  const kept = [...heads].flatMap(([trained, cells]) => {
    const own = cells.filter(({ scenario }) => names.has(scenario));
    return own.length ? [[trained, own] as const] : [];
  });
  return { model, heads: new Map(kept), borderTrials: [] };
}

const scenariosOf = (cells: readonly AnswerCell[]) => cells.map(({ scenario }) => scenario).join(', ');

function differenceRow(
  joint: Predictions,
  scenario: string,
  first: Uint32Array,
  second: Uint32Array,
  draws: Draws,
): Omit<DifferenceRow, 'pHolm'>[] {
  const pairing = pairingWith(joint, first)(second);
  const found = differenceOf(pairing, draws);
  if (!found) return [];
  const { both, firstOnly, secondOnly } = pairing;
  return [
    {
      scenario,
      pairs: found.pairs,
      a: (both + firstOnly) / found.pairs,
      b: (both + secondOnly) / found.pairs,
      // Pairings count first minus second; here B minus A.
      difference: found.difference === 0 ? 0 : -found.difference,
      ci: [-found.ci[1], -found.ci[0]],
      gained: secondOnly,
      lost: firstOnly,
      p: found.p,
    },
  ];
}

function withHolm<Row extends { p: number }>(rows: readonly Row[]): (Row & { pHolm: number })[] {
  const corrected = holm(rows.map(({ p }) => p));
  return rows.map((row, i) => ({ ...row, pHolm: corrected[i] }));
}

function classDifferences(joint: Predictions, shared: readonly (readonly [AnswerCell, AnswerCell])[], draws: Draws) {
  const { codes, levels } = joint.label;
  return shared.flatMap(([x, y]) =>
    levels.flatMap((name, code) => {
      const own = (rows: Uint32Array) => rows.filter((row) => codes[row] === code);
      return differenceRow(joint, x.scenario, own(x.rows), own(y.rows), draws).map((row) => ({ class: name, ...row }));
    }),
  );
}

/** Mean over the scenarios, by clusters: what each adds to every accuracy, jointly. */
function overallOf(joint: Predictions, shared: readonly (readonly [AnswerCell, AnswerCell])[]): Comparison['overall'] {
  const sums = clusterSums(shared.flat(), joint.cluster, joint.correct);
  const accuracy = accuracies(sums);
  const influence = accuracyInfluence(sums);
  const scenarios = shared.length;
  const sign = (c: number) => (c % 2 === 0 ? -1 : 1) / scenarios;
  let [difference, squares] = [0, 0];
  for (let c = 0; c < sums.cells; c++) difference += sign(c) * accuracy[c];
  for (let g = 0; g < sums.clusters; g++) {
    let own = 0;
    for (let c = 0; c < sums.cells; c++) own += sign(c) * influence[g * sums.cells + c];
    squares += own * own;
  }
  const clusters = presentClusters(sums);
  return { scenarios, difference, ...differenceByClusters(difference, squares, clusters) };
}

function robustnessDifference(scored: readonly ScoredModel[], draws: Draws): Comparison['robustness'] {
  const [a, b] = scored.map(({ score }) => score.robustness);
  const [before, after] = scored.map(({ resampledRobustness }) => resampledRobustness);
  if (!a || !b || !before || !after) return null;
  const differences = after.map((value, i) => value - before[i]);
  return {
    a: a.score,
    b: b.score,
    difference: b.score - a.score,
    debiased: (b.debiased ?? b.score) - (a.debiased ?? a.score),
    ci: expandedInterval(differences, draws.clusters),
  };
}

function flipsOf(joint: Predictions, x: AnswerCell, y: AnswerCell): Flip[] {
  const { pairedBy, correct, sample, label, prediction } = joint;
  const before = new Int32Array(pairedBy.count).fill(-1);
  for (const row of x.rows) before[pairedBy.codes[row]] = row;
  const answer = (row: number) => prediction?.levels[prediction.codes[row]] ?? null;
  const flips: Flip[] = [];
  for (const row of y.rows) {
    const other = before[pairedBy.codes[row]];
    if (other < 0 || correct[other] === correct[row]) continue;
    flips.push({
      scenario: x.scenario,
      sample: sample.levels[sample.codes[row]],
      label: label.levels[label.codes[row]],
      change: correct[row] ? 'gained' : 'lost',
      a: answer(other),
      b: answer(row),
    });
  }
  return flips;
}

const missing = (from: readonly AnswerCell[], other: readonly AnswerCell[]): string[] =>
  from.filter(({ scenario }) => !other.some((cell) => cell.scenario === scenario)).map(({ scenario }) => scenario);

function notesFor(
  first: readonly AnswerCell[],
  second: readonly AnswerCell[],
  rows: readonly DifferenceRow[],
): string[] {
  const notes: string[] = [];
  const [onlyA, onlyB] = [missing(first, second), missing(second, first)];
  if (onlyA.length) notes.push(`Only A has ${onlyA.join(', ')}: not compared, and in neither robustness.`);
  if (onlyB.length) notes.push(`Only B has ${onlyB.join(', ')}: not compared, and in neither robustness.`);
  const short = rows.filter(({ scenario, pairs }) => {
    const lengths = [first, second].map((cells) => cells.find((cell) => cell.scenario === scenario)?.rows.length ?? 0);
    return pairs < Math.max(...lengths);
  });
  if (short.length)
    notes.push(
      `In ${short.length === 1 ? short[0].scenario : `${short.length} scenarios`} one side lacks samples; the differences use those of both.`,
    );
  return notes;
}
