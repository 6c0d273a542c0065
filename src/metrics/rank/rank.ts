import { UserError } from '../../contracts/errors.ts';
import type { Rank, RankedModel, RankMeasure } from '../../contracts/rank.ts';
import { randomFor } from '../../stats/random.ts';
import { resamplesFor } from '../score/options.ts';
import { rankingOf } from '../score/ranking.ts';
import { drawResamples } from '../score/resample.ts';
import { type AnswerCell, cellsByModel, mainCells, originalScenario } from '../table/cells.ts';
import type { Predictions } from '../table/predictions.ts';
import { measureRows } from './measure.ts';
import type { RankOptions } from './options.ts';
import { combine, differenceInterval, intervalOf, pairedTests, pairKey } from './paired.ts';
import { rankSentence } from './rank-sentence.ts';
import { defaultShifts, parseShifts, type Shift } from './shifts.ts';

interface Candidate {
  readonly model: string;
  readonly cells: ReadonlyMap<string, AnswerCell>;
}

/**
 * Which model to take when the scene will change: candidates by their mean over the chosen shifts. Intervals, and how
 * often each comes first, from images (or groups) resampled jointly over all models and scenarios. A model is called
 * worse than the first only where a paired test says so after Holm's correction over all pairs of models, because the
 * first was itself picked by looking at the same answers.
 */
export function rankModels(predictions: Predictions, options: RankOptions = {}): Rank {
  const { by = 'accuracy', seed = 0 } = options;
  const candidates = candidatesOf(predictions, options.heads ?? false);
  const present = sharedScenarios(candidates);
  const shifts = options.shifts?.length ? parseShifts(options.shifts, present) : defaultShifts(present);
  if (!shifts.length)
    throw new UserError(`Nothing to rank by: all models share ${present.join(', ') || 'no scenario'}`);
  const scenarios = [
    ...new Set([
      ...(present.includes(originalScenario) ? [originalScenario] : []),
      ...shifts.flatMap((one) => one.scenarios),
    ]),
  ];
  const { rows, left } = sharedRows(predictions, candidates, scenarios);
  const measured = candidates.map(({ model }, m) =>
    scenarios.map((scenario, s) => {
      const found = measureRows(by, predictions, rows[m][s]);
      if (!found) throw new UserError(unmeasurable(by, model, scenario));
      return found;
    }),
  );
  const columns = columnsOf(scenarios, shifts, { alike: options.shifts?.length ? 'shifts' : 'scenarios' });
  const clusters = presentClusters(predictions, rows.flat());
  const { count } = predictions.cluster;
  const replicates = resamplesFor(options, count, candidates.length * scenarios.length);
  const { counts } = drawResamples(count, { random: randomFor('rank', seed), replicates });
  const tables = measured.map((cells) => {
    const drawn = Array.from({ length: replicates }, (_, b) => {
      const weights = counts.subarray(b * count, (b + 1) * count);
      return cells.map((cell) => cell.value(weights));
    });
    const whole = cells.map((cell) => cell.value());
    return columns.map((weights) => ({
      value: combine(weights, whole),
      resampled: Float64Array.from(drawn, (values) => combine(weights, values)),
    }));
  });
  const order = candidates.map((_, m) => m).sort((a, b) => tables[b][overall].value - tables[a][overall].value);
  const pairs = pairedTests(measured, columns[overall], clusters);
  const [first] = order;
  const chances = rankingOf(by, new Map(candidates.map(({ model }, m) => [model, tables[m][overall].resampled])));
  const levelAt = (m: number, c: number) => {
    const { value, resampled } = tables[m][c];
    return { value, ci: intervalOf(value, resampled, clusters) };
  };
  const models = order.map((m, place): RankedModel => {
    const { model } = candidates[m];
    const perShift = shifts.map(({ shift }, k) => ({ shift, ...levelAt(m, 1 + k) }));
    const clean = scenarios[0] === originalScenario ? levelAt(m, columns.length - 1) : null;
    const pair = m === first ? undefined : pairs.get(pairKey(first, m));
    const [ahead, own] = [tables[first][overall], tables[m][overall]];
    const difference = ahead.value - own.value;
    return {
      model,
      rank: place + 1,
      clean,
      shifted: levelAt(m, overall),
      drop: clean && clean.value - own.value,
      shifts: perShift,
      worst: perShift.reduce((worst, one) => (one.value < worst.value ? one : worst)),
      best: chances?.models.find((chance) => chance.model === model)?.best ?? 1,
      behind: pair
        ? {
            difference,
            ci: differenceInterval(difference, pair.se, ahead.resampled, own.resampled, clusters),
            p: pair.p,
            pHolm: pair.pHolm,
          }
        : null,
      contender: !pair || pair.pHolm >= 0.05,
    };
  });
  return {
    by,
    shifts: shifts.map(({ shift, scenarios: own }) => ({ shift, scenarios: [...own] })),
    models,
    clusters: { by: predictions.cluster.by, count: clusters },
    replicates,
    words: rankSentence(models, by),
    notes: notesFor(candidates, present, left),
  };
}

function candidatesOf(predictions: Predictions, heads: boolean): Candidate[] {
  return cellsByModel(predictions).flatMap((model) => {
    const byScenario = (cells: readonly AnswerCell[]) => new Map(cells.map((cell) => [cell.scenario, cell]));
    if (!heads) return [{ model: model.model, cells: byScenario(mainCells(model)) }];
    return [...model.heads].map(([trained, cells]) => ({
      model: trained ? `${model.model} (trained on ${trained})` : model.model,
      cells: byScenario(cells),
    }));
  });
}

const sharedScenarios = ([first, ...others]: readonly Candidate[]): string[] =>
  [...first.cells.keys()].filter((scenario) => others.every(({ cells }) => cells.has(scenario)));

/** Per model and scenario the rows of the samples that every model has there. */
function sharedRows({ pairedBy }: Predictions, candidates: readonly Candidate[], scenarios: readonly string[]) {
  let left = 0;
  const perScenario = scenarios.map((scenario) => {
    const seen = new Uint16Array(pairedBy.count);
    const all = candidates.map(({ cells }) => (cells.get(scenario) as AnswerCell).rows);
    for (const rows of all) for (const row of rows) seen[pairedBy.codes[row]]++;
    left += seen.reduce((sum, count) => sum + (count > 0 && count < candidates.length ? 1 : 0), 0);
    return all.map((rows) => rows.filter((row) => seen[pairedBy.codes[row]] === candidates.length));
  });
  return { rows: candidates.map((_, m) => perScenario.map((models) => models[m])), left };
}

const overall = 0;

/** What is shown of each model, as weights over the scenarios: over all shifts, each shift, the clean images. */
function columnsOf(
  scenarios: readonly string[],
  shifts: readonly Shift[],
  { alike }: { alike: 'shifts' | 'scenarios' },
): Float64Array[] {
  const mean = (own: readonly string[]) =>
    Float64Array.from(scenarios, (scenario) => (own.includes(scenario) ? 1 / own.length : 0));
  const each = shifts.map((shift) => mean(shift.scenarios));
  // Unless shifts are named every scenario counts alike, as in the score: one ranking for all.
  const all =
    alike === 'scenarios'
      ? mean(shifts.flatMap((shift) => shift.scenarios))
      : new Float64Array(scenarios.length).map((_, s) => each.reduce((sum, own) => sum + own[s] / each.length, 0));
  return [all, ...each, ...(scenarios[0] === originalScenario ? [mean([originalScenario])] : [])];
}

function presentClusters({ cluster }: Predictions, rows: readonly Uint32Array[]): number {
  const seen = new Uint8Array(cluster.count);
  for (const own of rows) for (const row of own) seen[cluster.codes[row]] = 1;
  return seen.reduce((sum, one) => sum + one, 0);
}

function unmeasurable(by: RankMeasure, model: string, scenario: string): string {
  return by === 'auroc'
    ? `No AUROC for ${model} on ${scenario}: it needs two classes and a model with two probabilities; use --measure balanced`
    : `${model} has no answer on ${scenario} that the other models have too`;
}

function notesFor(candidates: readonly Candidate[], present: readonly string[], left: number): string[] {
  const notes: string[] = [];
  const some = new Set(candidates.flatMap(({ cells }) => [...cells.keys()]));
  const apart = [...some].filter((scenario) => !present.includes(scenario));
  if (apart.length) notes.push(`Not every model has ${apart.join(', ')}; left out of the ranking.`);
  if (left) notes.push(`${left} answers were left out of the ranking, because not every model has them.`);
  return notes;
}
