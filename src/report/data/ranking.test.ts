import { describe, expect, it } from 'vitest';
import { tableFrom } from '../../metrics/analyze/table.ts';
import { answersFrom } from './answers.ts';
import { rankModels } from './ranking.ts';

type Row = [model: string, scenario: string, sample: string, correct: number];

const answers = (rows: readonly Row[]) =>
  answersFrom(
    tableFrom({
      model: rows.map(([model]) => model),
      scenario: rows.map(([, scenario]) => scenario),
      sample: rows.map(([, , sample]) => sample),
      label: rows.map(() => 'x'),
      prediction: rows.map(() => 'x'),
      correct: Float64Array.from(rows, ([, , , correct]) => correct),
    }),
  );

/** Of `n` samples the first `right` are right. */
const cell = (model: string, scenario: string, right: number, n = 40): Row[] =>
  Array.from({ length: n }, (_, i) => [model, scenario, `s${i}`, i < right ? 1 : 0]);

describe('ranking by accuracy over the edits', () => {
  it('is the plain mean over the scenarios, original left out', () => {
    const ranked = rankModels(
      answers([
        ...cell('a', 'original', 40),
        ...cell('a', 'x', 20),
        ...cell('a', 'y', 10),
        ...cell('b', 'x', 30),
        ...cell('b', 'y', 10),
      ]),
    );
    expect(ranked.map(({ model, edited }) => [model, edited])).toEqual([
      ['b', 0.5],
      ['a', 0.375],
    ]);
  });

  it('is certain where one model is right wherever the other is, and more often', () => {
    const ranked = rankModels(answers([...cell('a', 'x', 35), ...cell('b', 'x', 15)]));
    expect(ranked[0]).toMatchObject({ model: 'a' });
    expect(ranked[0].first).toBeGreaterThan(0.999);
  });

  it('shares the first place of models that answer alike', () => {
    const ranked = rankModels(answers([...cell('a', 'x', 20), ...cell('b', 'x', 20)]));
    expect(ranked.map(({ first }) => first)).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)]);
  });

  it('leaves out what does not count, and gives nothing where nothing does', () => {
    const some = answers([...cell('a', 'x', 20), ...cell('a', 'gone', 0)]);
    expect(rankModels(some, { counts: (name) => name !== 'gone' })[0].edited).toBe(0.5);
    expect(rankModels(some, { counts: () => false })).toEqual([]);
  });

  it('has an interval like the binomial’s for one scenario', () => {
    const [{ ci }] = rankModels(answers(cell('a', 'x', 50, 100)));
    expect(ci?.[0]).toBeCloseTo(0.402, 1);
    expect(ci?.[1]).toBeCloseTo(0.598, 1);
  });
});
