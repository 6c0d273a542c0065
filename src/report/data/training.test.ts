import { describe, expect, it } from 'vitest';
import type { TrainingRow } from '../../contracts/training.ts';
import { tableFrom } from '../../metrics/analyze/table.ts';
import { correctedT } from '../../train/corrected-t.ts';
import { curvesOf } from './curves.ts';
import { trainedModels } from './training.ts';

/** Right answers of five, by head, scenario and fold. */
const right: Record<string, Record<string, readonly number[]>> = {
  '': { original: [5, 5, 5], grey: [0, 0, 0] },
  original: { original: [5, 4, 5], grey: [2, 3, 1] },
  grey: { original: [1, 1, 1], grey: [3, 4, 5] },
  mix: { original: [4, 4, 4], grey: [5, 3, 4] },
};

const rows = Object.entries(right).flatMap(([trained, scenarios]) =>
  Object.entries(scenarios).flatMap(([scenario, folds]) =>
    folds.flatMap((own, fold) =>
      Array.from({ length: 5 }, (_, i) => ({ trained, scenario, fold, sample: `${fold}-${i}`, right: i < own })),
    ),
  ),
);
const table = (kept = rows) =>
  tableFrom({
    model: kept.map(() => 'net'),
    trained: kept.map(({ trained }) => trained),
    scenario: kept.map(({ scenario }) => scenario),
    sample: kept.map(({ sample }) => sample),
    fold: Float64Array.from(kept, ({ fold }) => fold),
    correct: Float64Array.from(kept, (row) => Number(row.right)),
  });
const record = { version: 1, scenarios: ['original', 'grey'], models: [], versions: {} };
const of = (kept = rows, more: object = {}) =>
  trainedModels({ table: table(kept), rows: [], record: { ...record, ...more }, scenarios: ['original', 'grey'] });

describe('what was trained', () => {
  it('is tested where it was trained, with the spread over the folds; as delivered is no head', () => {
    const [{ heads, folds }] = of();
    expect(folds).toBe(3);
    expect(heads.map(({ trained, on, n }) => [trained, on, n])).toEqual([
      ['original', ['original'], 15],
      ['grey', ['grey'], 15],
      ['mix', ['original', 'grey'], 30],
    ]);
    expect(heads[1].accuracy).toBeCloseTo(12 / 15, 12);
    // 0.6, 0.8 and 1.
    expect(heads[1].foldSpread).toBeCloseTo(0.2, 12);
    expect(heads[2].accuracy).toBeCloseTo(24 / 30, 12);
  });

  it('is compared fold by fold by the corrected t', () => {
    const [{ differences }] = of();
    const gain = differences.find(({ trained, against }) => trained === 'grey' && against.tested === 'grey');
    const { spread, ...test } = correctedT([0.2, 0.2, 0.8], 1 / 2);
    expect(gain).toMatchObject({ ...test, foldSpread: spread });
    const change = differences.find(({ trained, against }) => trained === 'grey' && against.tested === 'original');
    expect(change?.difference).toBeCloseTo(-2 / 15, 12);
  });

  it('allows for the folds that were made, also where not all of them were trained', () => {
    const some = rows.filter(({ fold }) => fold < 2);
    const models = [{ name: 'net', identity: {}, warnings: [], training: { folds: 3 } }];
    const [half] = of(some, { models });
    const gain = half.differences.find(({ trained, against }) => trained === 'grey' && against.tested === 'grey');
    expect(half.folds).toBe(3);
    expect(gain?.difference).toBeCloseTo(0.2, 12);
    const mixture = half.differences.find(({ trained, tested }) => trained === 'mix' && tested === 'grey');
    expect(mixture?.t).toBeCloseTo(correctedT([0.6, 0], 1 / 2).t as number, 12);
  });

  it('without folds has no spread and no test', () => {
    const [{ heads, differences, folds }] = of(
      rows.map((row) => ({ ...row, fold: -1, sample: `${row.fold}${row.sample}` })),
    );
    expect(folds).toBe(1);
    expect(heads[1]).toMatchObject({ accuracy: 0.8, foldSpread: null });
    expect(differences.every(({ p, ci }) => p === null && ci === null)).toBe(true);
  });

  it('takes a mixture from the record by its name', () => {
    const renamed = rows.map((row) => (row.trained === 'mix' ? { ...row, trained: 'original+grey' } : row));
    const heads = [{ name: 'original+grey', scenarios: ['original', 'grey'] }];
    const [known] = of(renamed, { training: { backbone: 'net', folds: 3, heads } });
    expect(known.heads.at(-1)).toMatchObject({ trained: 'original+grey', n: 30 });
    expect(of(renamed, { training: { backbone: 'other', heads } })[0].heads).toHaveLength(2);
  });

  it('is nothing where all models are as delivered', () => {
    expect(of(rows.filter(({ trained }) => !trained))).toEqual([]);
  });
});

const row = (fold: number, step: number, value: number, more: Partial<TrainingRow> = {}): TrainingRow => ({
  model: 'net',
  trained: 'grey',
  fold,
  part: 'curve',
  step,
  strength: 1,
  lossTrain: value,
  accuracyTrain: Number.NaN,
  lossValidation: 2 * value,
  accuracyValidation: Number.NaN,
  chosen: true,
  ...more,
});

describe('training curves', () => {
  it('are means with the range over the folds; a fold that ended stands where it stopped', () => {
    const { points, step } = curvesOf([row(0, 0, 9), row(0, 1, 4), row(0, 2, 2), row(1, 0, 9), row(1, 1, 1)]);
    expect(step).toBe('iteration');
    expect(points.filter(({ rows: of }) => of === 'training')).toEqual([
      { trained: 'grey', measure: 'loss', rows: 'training', step: 1, mean: 2.5, low: 1, high: 4, folds: 2 },
      { trained: 'grey', measure: 'loss', rows: 'training', step: 2, mean: 1.5, low: 1, high: 2, folds: 2 },
    ]);
    expect(points.some(({ measure }) => measure === 'accuracy')).toBe(false);
  });

  it('leave out the path of strengths and the head trained on all', () => {
    expect(curvesOf([row(0, 1, 1, { part: 'path' }), row(-1, 1, 1)]).points).toEqual([]);
  });

  it('count epochs where no strength was chosen', () => {
    expect(curvesOf([row(0, 1, 1, { strength: Number.NaN })]).step).toBe('epoch');
  });

  it('are thinned, first and last step kept', () => {
    for (const strength of [1, Number.NaN]) {
      const { points } = curvesOf(Array.from({ length: 1891 }, (_, i) => row(0, i + 1, 1 / (i + 1), { strength })));
      const steps = points.filter(({ rows: of }) => of === 'training').map(({ step }) => step);
      expect(steps.length).toBeLessThanOrEqual(60);
      expect([steps[0], steps.at(-1)]).toEqual([1, 1891]);
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    }
  });
});
