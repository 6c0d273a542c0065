import { describe, expect, it } from 'vitest';
import { toPredictionRow } from './rows.ts';

const context = {
  model: 'm',
  scenario: 'original',
  sample: { id: 'a.jpg', image: '/a.jpg', label: 'cat' },
  fold: -1,
  targets: [1],
  map: { outputs: 'logits' as const, own: [1, 2], names: ['dog', 'cat', 'fox', 'car'] },
};
const scores = (...values: number[]) => ({ kind: 'scores' as const, scores: Float32Array.from(values) });

describe('toPredictionRow', () => {
  it('tells the best of all outputs from the best of the own classes', () => {
    const row = toPredictionRow(scores(3, 2, 1, 0), context);
    expect(row).toMatchObject({
      prediction: 'dog',
      correct: false,
      correctOwn: true,
      rankTruth: 2,
      group: '',
      fold: -1,
    });
    // softmax of (3, 2, 1, 0), by scipy.special.softmax
    expect(row.probability).toBeCloseTo(0.6439142598879722, 12);
    expect(row.probabilityTruth).toBeCloseTo(0.23688281808991013, 12);
  });

  it('takes any accepted target, and adds their probabilities', () => {
    const row = toPredictionRow(scores(0, 2, 5, 4), { ...context, targets: [1, 3] });
    expect(row).toMatchObject({ prediction: 'fox', correct: false, rankTruth: 2 });
    const exps = [0, 2, 5, 4].map(Math.exp);
    expect(row.probabilityTruth).toBeCloseTo((exps[1] + exps[3]) / exps.reduce((a, b) => a + b), 12);
    expect(toPredictionRow(scores(0, 2, 3, 4), { ...context, targets: [1, 3] })).toMatchObject({
      correct: true,
      rankTruth: 1,
    });
  });

  it('leaves probabilities as they are', () => {
    const map = { ...context.map, outputs: 'probabilities' as const };
    const row = toPredictionRow(scores(0.1, 0.75, 0.1, 0.05), { ...context, map });
    expect(row).toMatchObject({ probability: 0.75, probabilityTruth: 0.75, correct: true, rankTruth: 1 });
  });

  // scipy.stats.rankdata(-scores, method='ordinal') of the truth.
  it.each([
    ['all equal', [1, 1, 1, 1], [1], 2, 'dog'],
    ['the truth first of the equal', [1, 1, 1, 1], [0], 1, 'dog'],
    ['the truth last of the equal', [1, 1, 1, 1], [3], 4, 'dog'],
    ['two share the first place', [0, 5, 5, 0], [2], 2, 'cat'],
    ['an accepted output before the best', [5, 5, 5, 0], [2, 0], 1, 'dog'],
  ])('ranks equal scores by their place: %s', (_, values, targets, rankTruth, prediction) => {
    const row = toPredictionRow(scores(...values), { ...context, targets });
    expect(row).toMatchObject({ prediction, rankTruth, correct: rankTruth === 1 });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses a score of %s', (value) => {
    expect(() => toPredictionRow(scores(value, 1, 2, 3), context)).toThrow('infinite or not a number');
    expect(() => toPredictionRow(scores(1, 2, 3, value), context)).toThrow('infinite or not a number');
  });

  it('leaves unknown what an answer judged elsewhere does not say', () => {
    const verdict = { kind: 'verdict' as const, prediction: 'dog', correct: false };
    const unknown = { probabilityTruth: null, rankTruth: null, correct: false };
    expect(toPredictionRow(verdict, context)).toMatchObject({ ...unknown, probability: null });
    expect(toPredictionRow({ ...verdict, probability: 0.9 }, context)).toMatchObject({ ...unknown, probability: 0.9 });
    expect(toPredictionRow({ ...verdict, rank: 7, probabilityTruth: 0.01 }, context)).toMatchObject({
      probabilityTruth: 0.01,
      rankTruth: 7,
    });
  });

  it('passes a verdict on, and refuses one that could not be judged', () => {
    const verdict = { kind: 'verdict' as const, prediction: 'a cat', correct: true, probability: 0.75 };
    expect(toPredictionRow(verdict, context)).toMatchObject({
      correct: true,
      correctOwn: true,
      probabilityTruth: 0.75,
      rankTruth: 1,
    });
    expect(() => toPredictionRow({ ...verdict, correct: null }, context)).toThrow('names neither choice');
  });
});
