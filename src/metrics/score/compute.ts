import { setImmediate } from 'node:timers/promises';
import type { ModelScore, Score } from '../../contracts/score.ts';
import { randomFor } from '../../stats/random.ts';
import { type CountedScenarios, isCounted } from '../counted.ts';
import type { Accuracies } from '../measures/accuracies.ts';
import { challengeAccuracy } from '../measures/imagenet-9.ts';
import { agreementOf, type Measures, measuresOf } from '../measures/index.ts';
import { type AnswerCell, cellsByModel, mainCells, originalScenario } from '../table/cells.ts';
import { type Predictions, unknownAnswer } from '../table/predictions.ts';
import { verdictsOf } from '../verdict/many.ts';
import { effectiveRobustness } from './effective.ts';
import { scoreModel } from './model-score.ts';
import { defaultShipMargin, resamplesFor, type ScoreOptions } from './options.ts';
import { inOrder } from './order.ts';
import { rankingOf } from './ranking.ts';
import { drawResamples } from './resample.ts';
import { shipAnswer } from './ship.ts';

/** `score` of answers. Clusters are resampled jointly over all scenarios and models. */
export function scorePredictions(given: Predictions, options: ScoreOptions = {}): Score {
  const steps = scoreSteps(given, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, model by model: between two of them, what else waits for this thread has its turn. */
export async function scorePredictionsInTurns(given: Predictions, options: ScoreOptions = {}): Promise<Score> {
  const steps = scoreSteps(given, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

function* scoreSteps(given: Predictions, options: ScoreOptions): Generator<undefined, Score> {
  const predictions = options.own ? overOwnClasses(given) : given;
  const models = cellsByModel(predictions);
  const cells = models.reduce((sum, { heads }) => sum + [...heads.values()].flat().length, 0);
  const clusters = predictions.cluster.count;
  const replicates = resamplesFor(options, clusters, cells);
  const draws = drawResamples(clusters, { random: randomFor('score', options.seed ?? 0), replicates });
  const scored: ReturnType<typeof scoreModel>[] = [];
  for (const model of models) {
    yield;
    scored.push(scoreModel(predictions, model, draws, options));
  }
  const withMeasures = addMeasures(
    scored.map(({ score }, i) => ({
      score,
      challenge: challengeOf(predictions, mainCells(models[i])),
    })),
    options.count,
  );
  const shifted = scored.every(({ score }) => score.overShifts);
  const comparable = scored.every(({ shifted }) => shifted.cells === scored[0].shifted.cells);
  return {
    ...withMeasures,
    count: options.count ?? 'shifts',
    verdict: verdictsOf(
      inOrder(withMeasures.models).flatMap(({ model, verdict }) => (verdict ? [{ model, verdict }] : [])),
    ),
    alarms: withMeasures.models.flatMap(({ alarms = [] }) => alarms),
    ranking: rankingOf(
      shifted ? 'accuracy over the shifts' : 'accuracy',
      new Map(scored.map(({ score, resampledMean }) => [score.model, resampledMean])),
    ),
    ship: comparable
      ? shipAnswer(
          scored.map(({ score, shifted }) => ({ model: score.model, sums: shifted })),
          options.shipMargin ?? defaultShipMargin,
        )
      : null,
    clusters: { by: predictions.cluster.by, count: clusters },
    notes: notesFor(predictions, withMeasures.models, options),
  };
}

export function overOwnClasses(given: Predictions): Predictions {
  // Where the source does not say, the answer over all outputs stands: a class outside the dataset is wrong anyway.
  const correct = given.correctOwn.map((own, row) => (own === unknownAnswer ? given.correct[row] : own));
  return { ...given, correct };
}

/** Effective robustness, the neighbouring papers' measures and how far all of them agree. */
export function addMeasures(
  scored: readonly { score: ModelScore; challenge?: { accuracy: number; backgrounds: number } | null }[],
  count?: CountedScenarios,
): Pick<Score, 'models' | 'agreement'> {
  const effective = effectiveRobustness(
    scored.flatMap(({ score }) => {
      const original = score.scenarios.find(({ scenario }) => scenario === originalScenario);
      const shifted = score.scenarios.filter(({ scenario }) => isCounted(scenario, count));
      if (!original || shifted.length === 0) return [];
      const mean = shifted.reduce((sum, { top1 }) => sum + top1, 0) / shifted.length;
      return [{ model: score.model, original: original.top1, shifted: mean, n: original.n || 1e9 }];
    }),
  );
  const measured = scored.map(({ score, challenge }) => {
    const accuracies: Accuracies = new Map(
      score.scenarios.map(({ scenario, top1, n }) => [scenario, { accuracy: top1, n }]),
    );
    return { score, challenge, measures: measuresOf(accuracies) };
  });
  const models = measured.map(
    ({ score, challenge, measures }): ModelScore => ({
      ...score,
      effectiveRobustness: effective.get(score.model) ?? null,
      measures: { ...present(measures), ...(challenge && { challenge }) },
    }),
  );
  const agreement = agreementOf(
    measured.map(({ score, measures }) => ({
      model: score.model,
      robustness: score.robustness?.score ?? null,
      meanDrop: score.meanDrop,
      measures,
    })),
  ).map((entry) => ({ ...entry }));
  return { models, ...(agreement.length && { agreement }) };
}

const present = (measures: Measures) =>
  Object.fromEntries(Object.entries(measures).filter(([, value]) => value !== null));

/** ImageNet-9's challenge over the mixed backgrounds there are: objects that stay right before all of them. */
function challengeOf({ pairedBy, correct }: Predictions, cells: readonly AnswerCell[]) {
  const mixed = cells.filter(({ scenario }) => /^mixed[-_](same|rand|next)/.test(scenario));
  if (mixed.length < 2) return null;
  const outcomes = new Map<number, boolean[]>();
  for (const { rows } of mixed)
    for (const row of rows) {
      const own = outcomes.get(pairedBy.codes[row]) ?? [];
      own.push(correct[row] === 1);
      outcomes.set(pairedBy.codes[row], own);
    }
  const complete = [...outcomes.values()].filter(({ length }) => length === mixed.length);
  return complete.length ? { accuracy: challengeAccuracy(complete), backgrounds: mixed.length } : null;
}

function notesFor(predictions: Predictions, models: readonly ModelScore[], { mu }: ScoreOptions): string[] {
  const notes: string[] = [];
  for (const { model, scenarios } of models) {
    const has = scenarios.some(({ scenario }) => scenario === originalScenario);
    if (!has && !mu?.has(model) && !mu?.has(''))
      notes.push(`${model} has no scenario 'original', so no drop and no robustness score; give --mu ${model}=VALUE.`);
    const short = scenarios.filter(({ pairs, n }) => pairs !== undefined && pairs < n);
    if (short.length > 0)
      notes.push(
        `${model}: ${short.length} scenarios hold samples that 'original' lacks; drops use the samples of both.`,
      );
  }
  if (predictions.cluster.by === 'group' && !predictions.single)
    notes.push('Images of one group are resampled together.');
  return notes;
}
