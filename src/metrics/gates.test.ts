import { describe, expect, it } from 'vitest';
import { gateSchema } from '../contracts/config.ts';
import type { Score } from '../contracts/score.ts';
import { evaluateGates, type GateRow } from './gates.ts';

const row = (scenario: string, top1: number, drop: number | null = null, dropCi: [number, number] | null = null) => ({
  scenario,
  n: 100,
  top1,
  top1Own: top1 + 0.1,
  ci: [top1 - 0.08, top1 + 0.08] as [number, number],
  drop,
  dropCi,
  p: null,
  pHolm: null,
});
const score: Score = {
  models: [
    {
      model: 'a',
      scenarios: [row('original', 0.8), row('grey', 0.7, 0.1, [0.04, 0.16])],
      robustness: { score: 0.99, cross: 0.01, inner: null, ci: [0.974, 0.996], debiased: 0.991 },
      meanDrop: 0.1,
    },
  ],
};
const byClass: GateRow[] = [
  { model: 'a', class: 'cat', ...row('original', 0.9) },
  { model: 'a', class: 'cat', ...row('grey', 0.5, 0.4, [0.2, 0.6]) },
];
const check = (gate: object) => evaluateGates([gateSchema.parse(gate)], score, byClass);

describe('evaluateGates', () => {
  it('holds an estimate against a limit', () => {
    expect(check({ metric: 'drop', max: 0.12 })).toMatchObject([{ scenario: 'grey', passed: true, held: 0.1 }]);
    expect(check({ metric: 'drop', max: 0.09 })).toMatchObject([
      { passed: false, message: 'a · grey: drop 0.1000 is above 0.09' },
    ]);
    expect(check({ metric: 'top1', scenario: 'grey', min: 0.7 })).toMatchObject([{ passed: true }]);
  });

  it('holds the confidence bound on the wrong side where asked', () => {
    expect(check({ metric: 'drop', max: 0.12, bound: 'confidence' })).toMatchObject([{ passed: false, held: 0.16 }]);
    expect(check({ metric: 'robustness', min: 0.98 })).toMatchObject([{ passed: true, value: 0.99 }]);
    expect(check({ metric: 'robustness', min: 0.98, bound: 'confidence' })).toMatchObject([
      { passed: false, held: 0.974 },
    ]);
  });

  it('measures relative to original', () => {
    const [{ value, held }] = check({
      metric: 'top1',
      scenario: 'grey',
      min: 0.7,
      relative: true,
      bound: 'confidence',
    });
    expect(value).toBeCloseTo(0.875, 12);
    expect(held).toBeCloseTo(1 - 0.16 / 0.8, 12);
    expect(check({ metric: 'drop', scenario: 'grey', max: 0.2, relative: true })[0].value).toBeCloseTo(0.125, 12);
  });

  it('looks at classes', () => {
    expect(check({ metric: 'drop', class: '*', max: 0.3 })).toMatchObject([{ class: 'cat', passed: false }]);
    expect(check({ metric: 'top1Own', class: 'cat', scenario: 'original', min: 1 })).toMatchObject([{ passed: true }]);
  });

  it('names a class that is a wnid', () => {
    const pug = byClass.map((of) => ({ ...of, class: 'n02110958' }));
    const [result] = evaluateGates([gateSchema.parse({ metric: 'drop', class: '*', max: 0.3 })], score, pug);
    expect(result).toMatchObject({ class: 'n02110958', message: expect.stringMatching(/^a · grey · pug: /) });
  });

  it('refuses a gate that fits nothing', () => {
    expect(() => check({ metric: 'drop', scenario: 'gray', max: 0.1 })).toThrow(
      'gates.0 (drop gray max 0.1) fits no model',
    );
  });
});

describe('gates of segmentation', () => {
  const value = (mean: number | null, drop: number | null = null) => ({
    mean,
    ci: mean === null ? null : [mean - 0.05, mean + 0.05],
    drop,
    dropCi: drop === null ? null : [drop - 0.02, drop + 0.02],
  });
  const line = (scenario: string, iou: number | null, drop: number | null = null) => ({
    model: 'u2net',
    scenario,
    class: 'object',
    n: 40,
    iou: value(iou, drop),
    dice: value(iou),
    boundaryF: value(iou),
  });
  const segmented = { models: [], segmentation: [line('original', 0.8), line('grey', 0.6, 0.2), line('no-fg', null)] };
  const hold = (gate: object) => evaluateGates([gateSchema.parse(gate)], segmented as unknown as Score, []);

  it('hold IoU and its loss, and pass over what has no value', () => {
    expect(hold({ metric: 'iou', min: 0.7 })).toMatchObject([
      { scenario: 'original', passed: true },
      { scenario: 'grey', passed: false, message: 'u2net · grey · object: iou 0.6000 is below 0.7' },
    ]);
    expect(hold({ metric: 'iouDrop', max: 0.21, bound: 'confidence' })).toMatchObject([{ passed: false, held: 0.22 }]);
    expect(hold({ metric: 'dice', scenario: 'grey', min: 0.7, relative: true })).toMatchObject([
      { passed: true, value: expect.closeTo(0.75, 12) },
    ]);
    expect(() => hold({ metric: 'boundaryF', class: 'cat', min: 0.5 })).toThrow('fits no model');
  });
});
