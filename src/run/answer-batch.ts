import { UserError } from '../contracts/errors.ts';
import type { Answer, Model, Prepared, Question } from '../models/define.ts';
import { Interrupted } from './jobs.ts';

/**
 * One answer per picture, in order. Where a batch as a whole fails its pictures are asked one by one, so that a failure
 * belongs to the picture that caused it and costs no other its answer.
 */
export async function answerBatch(
  model: Pick<Model, 'name' | 'answer'>,
  batch: readonly Prepared[],
  questions: readonly Question[],
): Promise<Answer[]> {
  try {
    const answers = await model.answer(batch, questions);
    if (answers.length === batch.length) return answers;
    throw new UserError(`${model.name} gave ${answers.length} answers to ${batch.length} pictures`, { exitCode: 1 });
  } catch (error) {
    // A mistake in what the user gave: it ends the run, whichever picture it was met with.
    if (error instanceof UserError || error instanceof Interrupted) throw error;
    if (batch.length === 1) return [{ kind: 'failed', message: (error as Error).message }];
  }
  const answers: Answer[] = [];
  for (const [i, prepared] of batch.entries()) answers.push(...(await answerBatch(model, [prepared], [questions[i]])));
  return answers;
}
