import { describe, expect, it } from 'vitest';
import { judgeTwins } from '../../metrics/planted-bias/known-truth.ts';
import type { StoredAnswer } from './answers.ts';
import { type BenchmarkImage, pairTwins } from './benchmark.ts';
import { isFound, verdictText } from './verdict.ts';

const names = [
  'a-biased-1',
  'a-biased-2',
  'a-unbiased-1',
  'a-unbiased-2',
  'b-biased-1',
  'b-unbiased-1',
  'mobile-biased',
];
const images: BenchmarkImage[] = Array.from({ length: 40 }, (_, i) => ({
  id: `images/${i}.jpg`,
  label: `class ${i % 4}`,
  environment: 'lawn',
  usual: i % 2 === 0,
}));

/** Every model answers; `right` says where well. */
const answersOf = (right: (model: string, scenario: string, i: number) => boolean): StoredAnswer[] =>
  names.flatMap((model) =>
    ['original', 'random-background'].flatMap((scenario) =>
      images.map(({ id, label }, i) => {
        const correct = right(model, scenario, i);
        return { model, scenario, sample: id, prediction: correct ? label : 'other', correct };
      }),
    ),
  );

describe('twins', () => {
  const twins = pairTwins(names);

  it('are paired by network and seed; a network without a twin is left out', () => {
    expect(twins).toEqual([
      { network: 'a', biased: 'a-biased-1', unbiased: 'a-unbiased-1' },
      { network: 'a', biased: 'a-biased-2', unbiased: 'a-unbiased-2' },
      { network: 'b', biased: 'b-biased-1', unbiased: 'b-unbiased-1' },
    ]);
  });

  it('show a planted bias', () => {
    // Biased: right in usual places alone, and with a random background on a quarter of the images.
    const answers = answersOf((model, scenario, i) =>
      model.includes('-unbiased') ? i !== 3 : scenario === 'original' ? i % 2 === 0 : i % 4 === 0,
    );
    const verdicts = judgeTwins(answers, images, twins);
    expect(verdicts.map(({ network, seeds }) => [network, seeds])).toEqual([
      ['a', 2],
      ['b', 1],
      ['all', 3],
    ]);
    const whole = verdicts[2];
    expect(whole.biased).toEqual({ usual: 1, elsewhere: 0, randomBackgroundDrop: 0.25 });
    expect(whole.unbiased).toEqual({ usual: 1, elsewhere: expect.closeTo(0.95, 12), randomBackgroundDrop: 0 });
    expect(whole.randomBackground.estimate).toBeCloseTo(0.25, 12);
    expect(whole.outsideUsual.estimate).toBeCloseTo(0.95, 12);
    expect(isFound(whole)).toBe(true);
    const text = verdictText(verdicts, [0.01, 0.02]).join('\n');
    expect(text).toContain('25.0 points more (95 % interval ');
    expect(text).toContain('it is found');
    expect(text).toContain('pasting alone costs 1.0 to 2.0');
  });

  it('show none where there is none', () => {
    const answers = answersOf((_, scenario, i) => (scenario === 'original' ? i % 5 > 0 : i % 3 > 0));
    const verdicts = judgeTwins(answers, images, twins);
    expect(verdicts.some(isFound)).toBe(false);
    expect(verdictText(verdicts, [0]).join('\n')).toContain('do not show it');
  });

  it('say no interval, and find nothing, where one image is all there is outside the usual places', () => {
    const few = images.filter(({ usual, id }) => usual || id === 'images/1.jpg');
    const answers = answersOf(
      (model, scenario, i) => model.includes('-unbiased') || (scenario === 'original' && i % 2 === 0),
    );
    const verdicts = judgeTwins(answers, few, twins);
    expect(verdicts.some(isFound)).toBe(false);
    expect(verdictText(verdicts, [0]).join('\n')).toContain(
      'they lose 100.0 points more (of one photograph, so there is no interval)',
    );
  });

  it('are compared on the images all of them answered', () => {
    const answers = answersOf((model, _, i) => model.includes('-unbiased') || i === 0).filter(
      ({ model, sample }) => model !== 'a-biased-1' || sample !== 'images/0.jpg',
    );
    expect(judgeTwins(answers, images, twins)[0].biased.usual).toBe(0);
  });
});
