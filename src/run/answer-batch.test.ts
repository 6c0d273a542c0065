import { describe, expect, it } from 'vitest';
import { SampleError, UserError } from '../contracts/errors.ts';
import type { Answer, Prepared } from '../models/define.ts';
import { answerBatch } from './answer-batch.ts';

const picture = (value: number) => Float32Array.of(value);
const question = { sample: 's', scenario: 'original', width: 1, height: 1 };
const ask = (values: number[], answer: (value: number) => Answer, asked: number[] = []) =>
  answerBatch(
    {
      name: 'm',
      async answer(batch: readonly Prepared[]) {
        asked.push(batch.length);
        return batch.map(([value]) => answer(value));
      },
    },
    values.map(picture),
    values.map(() => question),
  );
const scores = (value: number): Answer => ({ kind: 'scores', scores: Float32Array.of(value) });

describe('answerBatch', () => {
  it('asks a batch once where nothing fails', async () => {
    const asked: number[] = [];
    expect(await ask([1, 2, 3], scores, asked)).toEqual([scores(1), scores(2), scores(3)]);
    expect(asked).toEqual([3]);
  });

  it('gives every other picture its answer where one fails', async () => {
    const failsAtTwo = (value: number) => {
      if (value === 2) throw new SampleError('model-failed', 'two is too many');
      return scores(value);
    };
    expect(await ask([1, 2, 3], failsAtTwo)).toEqual([
      scores(1),
      { kind: 'failed', message: 'two is too many' },
      scores(3),
    ]);
  });

  it("hands on what is the user's to mend", async () => {
    const wrong = () => {
      throw new UserError('the program is gone');
    };
    await expect(ask([1, 2], wrong)).rejects.toThrow('the program is gone');
    const one = { name: 'm', answer: async () => [scores(1)] };
    await expect(answerBatch(one, [picture(1), picture(2)], [question, question])).rejects.toThrow(
      'm gave 1 answers to 2 pictures',
    );
  });
});
