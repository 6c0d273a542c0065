import { describe, expect, it } from 'vitest';
import { toPublishedRow } from './published-rows.ts';

const about = {
  model: 'm',
  scenario: 'background',
  sample: { id: 'background/chair/a.png', image: 'a.png', label: 'chair' },
  fold: -1,
};
const scores = (...values: number[]) => ({ kind: 'scores', scores: Float32Array.from(values) }) as const;

describe('what the paper counts otherwise', () => {
  it('counts every accepted output among the first five', () => {
    const answer = scores(9, 1, 8, 7, 6, 5, 0);
    const count = (targets: number[]) => toPublishedRow(answer, { ...about, targets })?.acceptedInFive;
    expect(count([0, 2, 3])).toBe(3);
    expect(count([5, 6])).toBe(1);
    expect(count([1, 6])).toBe(0);
  });

  it('ranks equal scores by their place', () => {
    expect(toPublishedRow(scores(1, 1, 1, 1, 1, 1, 1), { ...about, targets: [4, 5] })?.acceptedInFive).toBe(1);
  });

  it('has nothing to say where one output is accepted', () => {
    expect(toPublishedRow(scores(1, 0), { ...about, targets: [0] })).toBeUndefined();
  });

  it('keeps what a two-choice question named with the truth first', () => {
    const answer = { kind: 'verdict', prediction: 'both choices', correct: false, named: 'both' } as const;
    expect(toPublishedRow(answer, { ...about, targets: [0] })).toMatchObject({ named: 'both', acceptedInFive: null });
    expect(toPublishedRow({ ...answer, named: undefined }, { ...about, targets: [0] })).toBeUndefined();
  });
});
