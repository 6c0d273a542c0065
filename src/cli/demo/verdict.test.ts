import { describe, expect, it } from 'vitest';
import type { Score } from '../../contracts/score.ts';
import type { Answer } from './answers.ts';
import { type DemoSample, demoSamples } from './dataset.ts';
import { judge, verdictText } from './verdict.ts';

/** A model that is right where `right` says so. */
const answersOf = (right: (sample: DemoSample, scenario: string) => boolean): Answer[] =>
  ['original', 'only-bg-t'].flatMap((scenario) =>
    demoSamples.map((sample) => {
      const correct = right(sample, scenario);
      return { model: 'm', scenario, sample: sample.id, prediction: correct ? sample.label : 'other', correct };
    }),
  );

const scoreOf = (drop: number, dropCi: [number, number], p: number): Score => {
  const row = { n: 64, top1: 0.5, top1Own: 0.5, ci: null, p, pHolm: 1 };
  const scenarios = [
    { ...row, scenario: 'random-background', drop, dropCi },
    { ...row, scenario: 'paste-back', drop: 0.015625, dropCi: null },
  ];
  return { models: [{ model: 'm', scenarios, robustness: null, meanDrop: null }] };
};

describe('judge', () => {
  it('finds a model that goes by the scene', () => {
    const verdict = judge(
      scoreOf(0.3, [0.1, 0.5], 0.002),
      answersOf(({ usual }) => usual),
      demoSamples,
    );
    expect(verdict.models).toEqual([
      {
        model: 'm',
        usual: 1,
        elsewhere: 0,
        randomBackground: { drop: 0.3, ci: [0.1, 0.5], p: 0.002 },
        backgroundAlone: 1,
        chance: 0.25,
        leansOnScene: true,
      },
    ]);
    const text = verdictText(verdict);
    expect(text).toContain('m: leans on the scene. It is right on 100 %');
    expect(text).toContain("costs it 30.0 points (95 % interval 10.0 to 50.0, McNemar's P 0.0020)");
    expect(text).toContain('background costs m 1.6 points: so much of a drop is the editing');
  });

  it('finds no sign of it where the interval of the drop reaches zero', () => {
    const verdict = judge(
      scoreOf(0, [-0.02, 0.03], 0.8),
      answersOf((_, scenario) => scenario === 'original'),
      demoSamples,
    );
    expect(verdict.models[0]).toMatchObject({ usual: 1, elsewhere: 1, backgroundAlone: 0, leansOnScene: false });
    expect(verdictText(verdict)).toContain('no sign that it leans on the scene');
    expect(verdictText(verdict)).toContain('A random background costs it nothing');
  });
});
