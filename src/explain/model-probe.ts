import { SampleError } from '../contracts/errors.ts';
import type { Raster } from '../image/raster.ts';
import type { Answer, ModelDescription, Prepared, Question } from '../models/define.ts';
import { logSumExp } from '../stats/softmax.ts';
import type { Canvas } from './canvas.ts';

/** What the model gives for one class (or, where several outputs are accepted, for all of them together). */
export interface OutputScore {
  readonly probability: number;
  /** The logit; of several outputs the logarithm of the sum of their exponentials. */
  readonly logit: number;
}

export type AnswerBatch = (batch: Prepared[], questions: Question[]) => Promise<Answer[]>;

export interface ModelProbe {
  /** Scores over all outputs. */
  scores(pictures: readonly Raster[]): Promise<Float32Array[]>;
  /** The explained class alone. */
  classScores(pictures: readonly Raster[], outputs: readonly number[]): Promise<OutputScore[]>;
}

interface ModelProbeOptions {
  readonly canvas: Canvas;
  readonly description: Pick<ModelDescription, 'name' | 'outputs' | 'batch'>;
  readonly answer: AnswerBatch;
  readonly question: Question;
}

/** Asks a model about pictures that stand for one variant, as many at a time as it takes. */
export function createModelProbe({ canvas, description, answer, question }: ModelProbeOptions): ModelProbe {
  const scores = async (pictures: readonly Raster[]) => {
    const found: Float32Array[] = [];
    for (let start = 0; start < pictures.length; start += description.batch) {
      const part = pictures.slice(start, start + description.batch);
      const prepared = await Promise.all(part.map((picture) => canvas.prepare(picture)));
      const answers = await answer(
        prepared,
        part.map(() => question),
      );
      for (const one of answers) found.push(scoresOf(one, description.name));
    }
    return found;
  };
  return {
    scores,
    classScores: async (pictures, outputs) =>
      (await scores(pictures)).map((all) => outputScore(all, outputs, description.outputs)),
  };
}

function scoresOf(answer: Answer, model: string): Float32Array {
  if (answer.kind === 'failed') throw new SampleError('model-failed', answer.message);
  if (answer.kind !== 'scores') throw new Error(`${model} answered without scores`);
  if (answer.scores.some(Number.isNaN))
    throw new SampleError('model-failed', `${model} answered with something that is not a number`);
  return answer.scores;
}

/** Probability and logit of some outputs together. */
export function outputScore(
  scores: ArrayLike<number>,
  outputs: readonly number[],
  kind: 'logits' | 'probabilities',
): OutputScore {
  if (kind === 'probabilities') {
    const probability = outputs.reduce((sum, output) => sum + scores[output], 0);
    return { probability, logit: Math.log(Math.max(probability, Number.MIN_VALUE)) };
  }
  const logit = logSumExp(scores, outputs);
  return { probability: Math.exp(logit - logSumExp(scores)), logit };
}
