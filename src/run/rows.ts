import { SampleError } from '../contracts/errors.ts';
import type { PredictionRow } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Answer } from '../models/define.ts';
import { softmaxOf } from '../stats/softmax.ts';

/** How the outputs of one model meet the labels of the dataset. */
export interface OutputMap {
  readonly outputs: 'logits' | 'probabilities';
  /** Outputs that belong to the dataset's own classes. */
  readonly own: readonly number[];
  /** Every output in the dataset's words, else in the model's. */
  readonly names: readonly string[];
}

interface RowContext {
  readonly model: string;
  readonly scenario: string;
  readonly sample: Sample;
  readonly fold: number;
  readonly targets: readonly number[];
  readonly map: OutputMap;
}

type Judged = Pick<
  PredictionRow,
  'prediction' | 'probability' | 'probabilityTruth' | 'rankTruth' | 'correct' | 'correctOwn'
>;

/** The prediction row of one answer. Several accepted targets: any is right, their probabilities add up. */
export function toPredictionRow(
  answer: Answer,
  { model, scenario, sample, fold, targets, map }: RowContext,
): PredictionRow {
  // Written out: made of spread objects, rows were the largest part of what a thread left behind.
  const rowOf = (judged: Judged): PredictionRow => ({
    model,
    trained: '',
    scenario,
    sample: sample.id,
    group: sample.group ?? '',
    label: sample.label ?? '',
    fold,
    prediction: judged.prediction,
    probability: judged.probability,
    probabilityTruth: judged.probabilityTruth,
    rankTruth: judged.rankTruth,
    correct: judged.correct,
    correctOwn: judged.correctOwn,
  });
  if (answer.kind === 'failed') throw new SampleError('model-failed', answer.message);
  if (answer.kind === 'mask') throw new Error(`${model} answered with a mask where scores were expected`);
  if (answer.kind === 'verdict') {
    if (answer.correct === null)
      throw new SampleError(
        'model-failed',
        `${model} gave an answer that names neither choice: ${answer.prediction.slice(0, 80)}`,
      );
    // Of a wrong answer nothing says where the truth came, unless the answer does.
    const { correct, prediction, probability = null, probabilityTruth, rank } = answer;
    return rowOf({
      prediction,
      probability,
      probabilityTruth: probabilityTruth ?? (correct ? probability : null),
      rankTruth: rank ?? (correct ? 1 : null),
      correct,
      correctOwn: correct,
    });
  }

  const { scores } = answer;
  const best = argmax(scores);
  if (best === -1)
    throw new SampleError('model-failed', `${model} answered with a score that is infinite or not a number`);
  const bestTarget = argmaxOver(scores, targets);
  const bestOwn = argmaxOver(scores, map.own);
  const probabilityOf = map.outputs === 'logits' ? softmaxOf(scores) : (index: number) => scores[index];
  // Equal scores rank by their place, as the first of the largest is the prediction.
  let rankTruth = 1;
  for (let i = 0; i < scores.length; i++) {
    const before = scores[i] > scores[bestTarget] || (scores[i] === scores[bestTarget] && i < bestTarget);
    if (before && !targets.includes(i)) rankTruth++;
  }
  return rowOf({
    prediction: map.names[best] ?? `output ${best}`,
    probability: probabilityOf(best),
    probabilityTruth: targets.reduce((sum, target) => sum + probabilityOf(target), 0),
    rankTruth,
    correct: targets.includes(best),
    correctOwn: targets.includes(bestOwn),
  });
}

/** First of the largest; −1 where a score is not finite. */
function argmax(scores: Float32Array): number {
  let best = 0;
  for (let i = 0; i < scores.length; i++) {
    if (!Number.isFinite(scores[i])) return -1;
    if (scores[i] > scores[best]) best = i;
  }
  return best;
}

function argmaxOver(scores: Float32Array, indices: readonly number[]): number {
  let best = indices[0];
  for (const index of indices)
    if (scores[index] > scores[best] || (scores[index] === scores[best] && index < best)) best = index;
  return best;
}
