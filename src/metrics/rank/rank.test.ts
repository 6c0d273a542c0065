import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../contracts/errors.ts';
import { rankMeasures, rankSchema } from '../../contracts/rank.ts';
import { tableFrom } from '../analyze/table.ts';
import { scorePredictions } from '../score/compute.ts';
import { inOrder } from '../score/order.ts';
import { type Predictions, toPredictions } from '../table/predictions.ts';
import { measureRows } from './measure.ts';
import { rankModels } from './rank.ts';
import { defaultShifts, parseShifts } from './shifts.ts';

interface Level {
  clean: number;
  shifts: Record<string, number>;
  shifted: number;
}
interface Fixture {
  labels: number[];
  probability: Record<string, Record<string, number[]>>;
  expected: Record<'accuracy' | 'balanced' | 'auroc', Record<string, Level>> & {
    paired: Record<string, { p: number; pHolm: number }>;
    placements: number[];
    delong: { variance: number };
  };
}
const fixture = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/rank/rank.json', import.meta.url), 'utf8'),
) as Fixture;
const words = ['good', 'defective'];

const predictionsOf = (
  models: Fixture['probability'],
  keep: (model: string, scenario: string, i: number) => boolean = () => true,
): Predictions => {
  const rows = Object.entries(models).flatMap(([model, scenarios]) =>
    Object.entries(scenarios).flatMap(([scenario, values]) =>
      values.flatMap((p, i) => (keep(model, scenario, i) ? [{ model, scenario, i, p }] : [])),
    ),
  );
  return toPredictions(
    tableFrom({
      model: rows.map(({ model }) => model),
      scenario: rows.map(({ scenario }) => scenario),
      sample: rows.map(({ i }) => `s${i}`),
      label: rows.map(({ i }) => words[fixture.labels[i]]),
      prediction: rows.map(({ p }) => words[p > 0.5 ? 1 : 0]),
      probability: Float64Array.from(rows, ({ p }) => Math.max(p, 1 - p)),
      probabilityTruth: Float64Array.from(rows, ({ i, p }) => (fixture.labels[i] ? p : 1 - p)),
    }),
  );
};
const predictions = predictionsOf(fixture.probability);

describe('rankModels', () => {
  it.each(rankMeasures)('has the levels of NumPy and SciPy, by %s', (by) => {
    const rank = rankModels(predictions, { by, bootstrap: 200, shifts: ['camera,light'] });
    rankSchema.parse(rank);
    expect(rank.shifts).toEqual([
      { shift: 'camera', scenarios: ['camera-shift'] },
      { shift: 'light', scenarios: ['lighting', 'lighting:over'] },
    ]);
    for (const { model, clean, shifted, shifts, worst, drop } of rank.models) {
      const wanted = fixture.expected[by][model];
      expect(clean?.value).toBeCloseTo(wanted.clean, 12);
      expect(shifted.value).toBeCloseTo(wanted.shifted, 12);
      for (const { shift, value, ci } of shifts) {
        expect(value).toBeCloseTo(wanted.shifts[shift], 12);
        expect(ci && ci[0] <= value && value <= ci[1]).toBe(true);
      }
      expect(worst.value).toBeCloseTo(Math.min(...Object.values(wanted.shifts)), 12);
      expect(drop).toBeCloseTo(wanted.clean - wanted.shifted, 12);
    }
    const values = rank.models.map(({ shifted }) => shifted.value);
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });

  it('has the numbers and the order of the score where no shifts are named', () => {
    const score = scorePredictions(predictions);
    const { models, shifts } = rankModels(predictions, { bootstrap: 200 });
    expect(shifts.map(({ shift }) => shift)).toEqual(['camera', 'light']);
    expect(models.map(({ model }) => model)).toEqual(inOrder(score.models).map(({ model }) => model));
    for (const { model, shifted } of models)
      expect(shifted.value).toBeCloseTo(
        score.models.find((own) => own.model === model)?.overShifts?.accuracy ?? Number.NaN,
        12,
      );
  });

  it('has the P values of a paired t test over images, Holm over all pairs', () => {
    const { models } = rankModels(predictions, { bootstrap: 200, shifts: ['camera,light'] });
    const [first, ...others] = models;
    expect([first.behind, first.contender]).toEqual([null, true]);
    for (const { model, behind, contender } of others) {
      const wanted = fixture.expected.paired[[first.model, model].sort().join(' ')];
      expect(behind?.p).toBeCloseTo(wanted.p, 10);
      expect(behind?.pHolm).toBeCloseTo(wanted.pHolm, 10);
      expect(contender).toBe(wanted.pHolm >= 0.05);
    }
    expect(models.map(({ best }) => best).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });

  it('counts an image once, however often it is repeated within its group', () => {
    const { rowCount, sample } = predictions;
    const table = tableFrom({
      model: [...predictions.model.codes].flatMap((c) => Array(3).fill(predictions.model.levels[c])),
      scenario: [...predictions.scenario.codes].flatMap((c) => Array(3).fill(predictions.scenario.levels[c])),
      label: [...predictions.label.codes].flatMap((c) => Array(3).fill(predictions.label.levels[c])),
      correct: [...predictions.correct].flatMap((c) => Array(3).fill(String(c))),
      sample: Array.from(
        { length: 3 * rowCount },
        (_, i) => `${sample.levels[sample.codes[Math.floor(i / 3)]]}-${i % 3}`,
      ),
      group: Array.from({ length: 3 * rowCount }, (_, i) => sample.levels[sample.codes[Math.floor(i / 3)]]),
    });
    const thrice = rankModels(toPredictions(table), { bootstrap: 400 });
    const once = rankModels(predictions, { bootstrap: 400 });
    expect(thrice.clusters).toEqual({ by: 'group', count: 60 });
    for (const [i, { behind, shifted }] of thrice.models.entries()) {
      expect(shifted.value).toBeCloseTo(once.models[i].shifted.value, 12);
      expect(behind?.p ?? 0).toBeCloseTo(once.models[i].behind?.p ?? 0, 10);
    }
  });

  it('leaves out what not every model has, and says so', () => {
    const part = predictionsOf(
      fixture.probability,
      (model, scenario, i) => !(model === 'b' && (scenario === 'lighting:over' || (scenario === 'lighting' && i < 5))),
    );
    const rank = rankModels(part, { bootstrap: 50 });
    expect(rank.shifts.map(({ scenarios }) => scenarios)).toEqual([['camera-shift'], ['lighting']]);
    expect(rank.notes).toEqual([
      'Not every model has lighting:over; left out of the ranking.',
      '5 answers were left out of the ranking, because not every model has them.',
    ]);
  });

  it('calls nobody worse where all answer alike, and keeps a doubt about a perfect model', () => {
    const { a } = fixture.probability;
    const alike = rankModels(predictionsOf({ a, copy: a }), { bootstrap: 100 });
    expect(alike.models.map(({ contender, best }) => [contender, best])).toEqual([
      [true, 0.5],
      [true, 0.5],
    ]);
    const perfect = Object.fromEntries(Object.keys(a).map((s) => [s, fixture.labels.map((l) => (l ? 0.9 : 0.1))]));
    const [one] = rankModels(predictionsOf({ perfect }), { bootstrap: 100 }).models;
    expect(one.shifted.value).toBeCloseTo(1, 12);
    expect(one.shifted.ci?.[0]).toBeLessThan(0.96);
  });
});

describe('AUROC', () => {
  const rowsOf = (model: string, scenario: string) =>
    Array.from({ length: predictions.rowCount }, (_, row) => row).filter(
      (row) =>
        predictions.model.levels[predictions.model.codes[row]] === model &&
        predictions.scenario.levels[predictions.scenario.codes[row]] === scenario,
    );
  it('has the placement values of DeLong, ties included', () => {
    const { influence } = measureRows('auroc', predictions, rowsOf('c', 'lighting')) ?? {};
    for (const [i, value] of fixture.expected.placements.entries()) expect(influence?.[i]).toBeCloseTo(value, 12);
  });
  it('has the variance of DeLong for a difference, but for their small-sample factors', () => {
    const [a, c] = ['a', 'c'].map((model) => measureRows('auroc', predictions, rowsOf(model, 'lighting'))?.influence);
    const variance = (a as Float64Array).reduce((sum, value, i) => sum + (value - (c as Float64Array)[i]) ** 2, 0);
    // DeLong divides by m − 1 and n − 1, 17 and 41 here; the influence function by m and n.
    const ratio = variance / fixture.expected.delong.variance;
    expect(ratio).toBeGreaterThan(17 / 18);
    expect(ratio).toBeLessThan(41 / 42);
  });
  it('is refused without two probabilities', () => {
    const { probabilityTruth, ...without } = predictions;
    expect(() => rankModels({ ...without, probabilityTruth: undefined }, { by: 'auroc' })).toThrow(UserError);
    // A third class takes part of the probability.
    const leaking = predictions.probabilityTruth?.map((p) => 0.8 * p);
    expect(() => rankModels({ ...without, probabilityTruth: leaking }, { by: 'auroc' })).toThrow('two probabilities');
  });
});

describe('shifts', () => {
  const present = [
    'original',
    'blur-background',
    'random-background',
    'lighting:over',
    'fog:severity=3+region=background',
    'no-fg',
    'night',
  ];
  it('are found by what a scenario changes; one without the object counts for nothing', () => {
    expect(defaultShifts(present)).toEqual([
      { shift: 'background', scenarios: ['blur-background', 'random-background'] },
      { shift: 'light', scenarios: ['lighting:over'] },
      { shift: 'weather', scenarios: ['fog:severity=3+region=background'] },
      { shift: 'night', scenarios: ['night'] },
    ]);
  });
  it('are read from a list', () => {
    const read = (...given: string[]) =>
      parseShifts(given, present).map(({ shift, scenarios }) => [shift, ...scenarios]);
    expect(read('scene=blur-background,random-background,light=lighting:kind=over')).toEqual([
      ['scene', 'blur-background', 'random-background'],
      ['light', 'lighting:over'],
    ]);
    expect(read('background,night', 'fog:severity=3+region=background')).toEqual([
      ['background', 'blur-background', 'random-background'],
      ['night', 'night'],
      ['fog:severity=3+region=background', 'fog:severity=3+region=background'],
    ]);
    expect(() => read('camera')).toThrow("--shifts names 'camera'");
    expect(() => read('lighting:under')).toThrow(UserError);
  });
});
