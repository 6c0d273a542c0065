import type { ModelConfig } from '../../contracts/model-config.ts';
import type { TryAnswer } from '../../contracts/studio/try.ts';
import type { Raster } from '../../image/raster.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import type { Answer, Model, ModelDescription, Question } from '../../models/define.ts';
import { openModel } from '../../models/open.ts';
import { defineJob } from '../../run/jobs.ts';
import { softmax } from '../../stats/softmax.ts';
import { isCancelled } from '../cancel-flags.ts';

export interface AskedModel {
  readonly spec: ModelConfig;
  readonly description: ModelDescription;
  /** Every output by the dataset's word for it, as people are shown it. */
  readonly names: readonly string[];
}

export interface AnswerInit {
  readonly models: readonly AskedModel[];
  readonly threads: number;
  readonly cancelled: SharedArrayBuffer;
}

export interface AnswerTask {
  readonly number: number;
  readonly image: Raster;
  readonly question: Omit<Question, 'width' | 'height'>;
  /** Accepted outputs, model by model. */
  readonly targets: readonly (readonly number[])[];
}

const mostAnswers = 5;

/** Every model's best answers to one picture, one model after the other, each told as it comes. */
export const answerJob = defineJob<AnswerInit, AnswerTask, TryAnswer | null>({
  name: 'studio-answers',
  async open({ models, threads, cancelled }) {
    const opened = new Map<number, Promise<Model>>();
    const modelAt = (m: number) => {
      const { spec, description } = models[m];
      const known = opened.get(m) ?? openModel(spec, { threads, described: description });
      opened.set(m, known);
      known.catch(() => opened.delete(m));
      return known;
    };
    return {
      async run({ number, image, question, targets }, emit) {
        for (const [m, { description, names }] of models.entries()) {
          if (isCancelled(cancelled, number)) break;
          try {
            const model = await modelAt(m);
            const asked = { ...question, width: image.width, height: image.height };
            const [answer] = await model.answer([await model.prepare(image)], [asked]);
            emit({ model: description.name, ...inWords(answer, model, names, targets[m]) });
          } catch (error) {
            emit({ model: description.name, problem: (error as Error).message });
          }
        }
        return null;
      },
      async close() {
        for (const model of opened.values()) await (await model.catch(() => undefined))?.close();
      },
    };
  },
});

function inWords(
  answer: Answer,
  { outputs }: Model,
  names: readonly string[],
  targets: readonly number[],
): Omit<TryAnswer, 'model'> {
  if (answer.kind === 'failed') return { problem: answer.message };
  if (answer.kind === 'mask') return { problem: 'it marks pixels and names nothing' };
  if (answer.kind === 'verdict') {
    const { prediction, probability, correct } = answer;
    return {
      best: [{ answer: shownLabel(prediction), probability: probability ?? null, isTruth: correct === true }],
      isJudged: correct !== null,
    };
  }
  const probabilities = outputs === 'logits' ? softmax(answer.scores) : [...answer.scores];
  const best = probabilities
    .map((probability, output) => ({
      probability,
      answer: names[output] ?? `output ${output}`,
      isTruth: targets.includes(output),
    }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, mostAnswers);
  return { best, isJudged: targets.length > 0 };
}
