import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ModelScore, scoreSchema } from '../../contracts/score.ts';
import { parseCsv } from '../csv.ts';
import { fromTable } from '../table/load.ts';
import { scoreAccuracies } from './accuracy-score.ts';
import { scorePredictions } from './compute.ts';
import type { ScoreOptions } from './options.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/metrics/${name}`, import.meta.url), 'utf8');

function score(csv: string, options: ScoreOptions = {}) {
  const loaded = fromTable(parseCsv(csv, 'made.csv'));
  return scoreSchema.parse(
    loaded.kind === 'predictions'
      ? scorePredictions(loaded.predictions, options)
      : scoreAccuracies(loaded.cells, options),
  );
}

interface ReferenceRow {
  scenario: string;
  n: number;
  top1: number;
  ci: [number, number];
  top5: number;
  calibrationError: number;
  drop?: number;
  lost?: number;
  gained?: number;
  p?: number;
  pHolm?: number;
}
const reference = JSON.parse(fixture('reference.json')) as {
  models: Record<
    string,
    {
      scenarios: ReferenceRow[];
      cross: number;
      score: number;
      debiased: number;
      meanDrop: number;
      v1: { overScenarios: number; overClasses: number; score: number };
      onlyBackgroundP: number;
    }
  >;
};

describe('predictions against statsmodels and numpy', () => {
  const found = score(fixture('predictions.csv'));
  it.each(Object.keys(reference.models))('%s, scenario by scenario', (name) => {
    const model = found.models.find(({ model }) => model === name) as ModelScore;
    for (const wanted of reference.models[name].scenarios) {
      const row = model.scenarios.find(({ scenario }) => scenario === wanted.scenario);
      expect(row).toBeDefined();
      for (const key of ['n', 'top1', 'top5', 'calibrationError', 'drop', 'lost', 'gained', 'p', 'pHolm'] as const) {
        const value = wanted[key];
        if (value !== undefined) expect(row?.[key], `${wanted.scenario} ${key}`).toBeCloseTo(value, 12);
      }
      expect(row?.ci?.[0]).toBeCloseTo(wanted.ci[0], 10);
      expect(row?.ci?.[1]).toBeCloseTo(wanted.ci[1], 10);
    }
  });

  it.each(Object.keys(reference.models))('%s, the scores over all scenarios', (name) => {
    const model = score(fixture('predictions.csv'), { count: 'all' }).models.find(
      ({ model }) => model === name,
    ) as ModelScore;
    const wanted = reference.models[name];
    expect(model.robustness?.cross).toBeCloseTo(wanted.cross, 12);
    expect(model.robustness?.score).toBeCloseTo(wanted.score, 12);
    expect(model.robustness?.inner).toBeNull();
    expect(model.robustness?.debiased).toBeCloseTo(wanted.debiased, 12);
    expect(model.meanDrop).toBeCloseTo(wanted.meanDrop, 12);
    expect(model.robustness?.v1?.overScenarios).toBeCloseTo(wanted.v1.overScenarios, 12);
    expect(model.robustness?.v1?.overClasses).toBeCloseTo(wanted.v1.overClasses, 12);
    expect(model.robustness?.v1?.score).toBeCloseTo(wanted.v1.score, 12);
    const background = model.background as unknown as { onlyBackground: { p: number } };
    expect(background.onlyBackground.p).toBeCloseTo(wanted.onlyBackgroundP, 10);
  });

  it.each(Object.keys(reference.models))('%s, the scores over the shifts alone', (name) => {
    const model = found.models.find(({ model }) => model === name) as ModelScore;
    const drops = reference.models[name].scenarios
      .filter(({ scenario }) => !['original', 'only-bg-t', 'paste-back'].includes(scenario))
      .map(({ drop }) => drop as number);
    expect(drops.length).toBeLessThan(reference.models[name].scenarios.length - 1);
    expect(model.robustness?.scenarios).toBe(drops.length);
    expect(model.meanDrop).toBeCloseTo(drops.reduce((sum, drop) => sum + drop, 0) / drops.length, 12);
    expect(model.worst?.drop).toBeCloseTo(Math.max(...drops), 12);
  });

  it('puts original first, and holds the estimate inside both intervals', () => {
    for (const { scenarios, robustness } of found.models) {
      expect(scenarios[0].scenario).toBe('original');
      expect(scenarios[0].drop).toBeNull();
      for (const { drop, dropCi } of scenarios.slice(1)) {
        expect(dropCi?.[0]).toBeLessThan(drop as number);
        expect(dropCi?.[1]).toBeGreaterThan(drop as number);
      }
      expect(robustness?.ci?.[0]).toBeLessThan(robustness?.debiased as number);
      expect(robustness?.ci?.[1]).toBeGreaterThan(robustness?.debiased as number);
      expect(robustness?.classesCi).not.toBeNull();
    }
  });

  it('knows the own classes where every answer is one of them', () => {
    expect(found.models[0].scenarios[0].top1Own).toBe(found.models[0].scenarios[0].top1);
  });

  it('gives the same numbers for the same seed, and ranks the models', () => {
    expect(score(fixture('predictions.csv'))).toEqual(found);
    // Starting lower, the second model loses less, but the first is better everywhere.
    expect(found.ranking?.models[0].model).toBe('first');
    expect(found.ranking?.by).toBe('accuracy over the shifts');
    expect(found.ranking?.models.reduce((sum, { best }) => sum + best, 0)).toBeCloseTo(1, 10);
    expect(found.ship?.reference).toBe('first');
  });

  it('counts classes when asked', () => {
    const { classes } = score(fixture('predictions.csv'), { byClass: true }).models[0];
    expect(classes).toHaveLength(6 * 5);
    const whole = classes
      ?.filter(({ scenario }) => scenario === 'grey')
      .reduce((sum, { n, top1 }) => sum + n * top1, 0);
    const grey = found.models[0].scenarios.find(({ scenario }) => scenario === 'grey');
    expect(whole).toBeCloseTo((grey?.top1 ?? 0) * (grey?.n ?? 0), 9);
  });
});

describe('the published tables', () => {
  const { EX1, EX2 } = (
    JSON.parse(fixture('published-tables.json')) as {
      ximagenet12: Record<'EX1' | 'EX2', Record<string, Record<string, number>>>;
    }
  ).ximagenet12;
  const lines = (table: typeof EX1, trained: (scenario: string) => string) =>
    Object.entries(table).flatMap(([model, row]) =>
      Object.entries(row).map(([scenario, value]) => `${model},${scenario},${value / 100},${trained(scenario)}`),
    );
  const csv = (first: string) =>
    ['model,scenario,accuracy,trained', ...lines(EX1, () => first), ...lines(EX2, (scenario) => scenario)].join('\n');
  const wanted = { ResNet50: 0.8865, 'VGG-16': 0.8464, DenseNet121: 0.9182, ViT: 0.7723, Swin: 0.7384 };

  it.each(['', 'original'])('give the five scores at a common μ (EX1 trained on "%s")', (first) => {
    const { models } = score(csv(first), { mu: new Map([['', 0.9527]]) });
    for (const [name, value] of Object.entries(wanted))
      expect(models.find(({ model }) => model === name)?.robustness?.score).toBeCloseTo(value, 4);
  });

  it('give 1 − cross where nothing was trained in-scenario', () => {
    const { models } = score(csv(''), { mu: new Map([['MobileNetV2', 0.9527]]) });
    const mobile = models.find(({ model }) => model === 'MobileNetV2');
    expect(mobile?.robustness?.inner).toBeNull();
    expect(mobile?.robustness?.score).toBeCloseTo(1 - (mobile?.robustness?.cross ?? 0), 12);
    expect(models.find(({ model }) => model === 'ResNet50')?.robustness).toBeNull();
  });

  it('refuse percentages', () => {
    expect(() => score('model,scenario,accuracy\nA,original,95.1')).toThrow(/divide percentages by 100/);
  });
});

const predictionRow = (scenario: string, i: number, right: boolean, more = '') =>
  `m,${scenario},s${i},c${i % 3},c${right ? i % 3 : (i + 1) % 3}${more}`;
const made = (rows: string[], more = '') => [`model,scenario,sample,label,prediction${more}`, ...rows].join('\n');
const twenty = Array.from({ length: 20 }, (_, i) => i);

describe('odd input', () => {
  it('never gives a drop of exactly nothing for lack of disagreement', () => {
    for (const right of [true, false]) {
      const { models } = score(
        made(['original', 'grey'].flatMap((s) => twenty.map((i) => predictionRow(s, i, right)))),
      );
      const [row] = models[0].scenarios.slice(1);
      expect(row.drop).toBe(0);
      expect(row.p).toBe(1);
      expect(row.dropCi?.[0]).toBeLessThan(0);
      expect(row.dropCi?.[1]).toBeGreaterThan(0);
      expect(models[0].robustness?.score).toBe(1);
      const [low, high] = models[0].robustness?.ci ?? [1, 1];
      expect(low).toBeLessThan(high);
      expect(high).toBe(1);
    }
  });

  it('scores one scenario, one class, and a table without original', () => {
    const one = score(made(twenty.map((i) => predictionRow('original', i, i > 3))));
    expect(one.models[0].robustness).toBeNull();
    expect(one.models[0].meanDrop).toBeNull();
    const without = score(made(twenty.map((i) => predictionRow('grey', i, i > 3))));
    expect(without.models[0].scenarios[0].drop).toBeNull();
    expect(without.notes?.join()).toMatch(/--mu m=VALUE/);
    const given = score(made(twenty.map((i) => predictionRow('grey', i, i > 3))), { mu: new Map([['m', 0.9]]) });
    expect(given.models[0].robustness?.score).toBeCloseTo(1 - 0.01, 12);
    expect(given.models[0].meanDrop).toBeCloseTo(0.1, 12);
  });

  it('takes several folds of one image together, and groups', () => {
    const rows = ['original', 'grey'].flatMap((s) =>
      twenty.flatMap((i) =>
        [0, 1].map((fold) => predictionRow(s, i, s === 'original' || (i + fold) % 4 > 0, `,${fold}`)),
      ),
    );
    const folds = score(made(rows, ',fold'));
    const [row] = folds.models[0].scenarios.slice(1);
    expect(row.n).toBe(40);
    expect(row.drop).toBeCloseTo(0.25, 12);
    expect(row.dropCi?.[0]).toBeGreaterThan(0);
    const grouped = ['original', 'grey'].flatMap((s) =>
      twenty.map((i) => predictionRow(s, i, s === 'original' || i >= 5, `,g${Math.floor(i / 5)}`)),
    );
    const plain = ['original', 'grey'].flatMap((s) =>
      twenty.map((i) => predictionRow(s, i, s === 'original' || i >= 5)),
    );
    const width = (ci: readonly [number, number] | null | undefined) => (ci ? ci[1] - ci[0] : 0);
    const [byGroup, byImage] = [score(made(grouped, ',group')), score(made(plain))].map(
      ({ models }) => models[0].scenarios[1],
    );
    expect(byGroup.drop).toBe(byImage.drop);
    expect(width(byGroup.dropCi)).toBeGreaterThan(1.3 * width(byImage.dropCi));
    expect(width(byGroup.ci)).toBeGreaterThan(1.3 * width(byImage.ci));
  });

  it('pairs by sample, whatever the order of the rows', () => {
    const rows = ['original', 'grey'].flatMap((s) =>
      twenty.map((i) => predictionRow(s, i, s === 'original' ? i > 2 : i > 8)),
    );
    const backwards = score(made([...rows].reverse())).models[0];
    const forwards = score(made(rows)).models[0];
    expect(backwards.scenarios).toEqual(forwards.scenarios);
    expect(backwards.robustness?.ci?.[0]).toBeCloseTo(forwards.robustness?.ci?.[0] as number, 9);
  });

  it('takes μ, cross and inner from the heads where there are some', () => {
    const head = (trained: string, scenario: string, right: (i: number) => boolean) =>
      twenty.map((i) => predictionRow(scenario, i, right(i), `,${trained}`));
    const { models } = score(
      made(
        [
          ...head('', 'original', () => true),
          ...head('', 'grey', () => false),
          ...head('original', 'original', (i) => i > 1),
          ...head('original', 'grey', (i) => i > 5),
          ...head('grey', 'grey', (i) => i > 3),
          ...head('grey', 'original', () => false),
        ],
        ',trained',
      ),
    );
    const { robustness, scenarios, heads } = models[0];
    expect(robustness?.mu).toBeCloseTo(0.9, 12);
    expect(robustness?.cross).toBeCloseTo(0.04, 12);
    expect(robustness?.inner).toBeCloseTo(0.01, 12);
    expect(robustness?.score).toBeCloseTo(0.95, 12);
    expect(scenarios[1].drop).toBe(1);
    expect(heads?.map(({ trained }) => trained)).toEqual(['original', 'grey']);
  });

  it.each([
    ['model,scenario,sample,label\nA,original,1,c', /lacks the column prediction/],
    ['a,b\n1,2', /lacks the columns model, scenario, sample, label, prediction/],
    [
      made([predictionRow('original', 1, true), predictionRow('original', 1, true)]),
      /Rows 1 and 2 .* twice.*sample 's1'/,
    ],
    [made(['m,original,s1,,c1']), /Expected a label for row 1/],
    [
      'model,scenario,sample,label,prediction,probability\nA,original,1,c,c,7.5',
      /Expected a probability from 0 to 1 for column 'probability', row 1 .* received 7\.5/,
    ],
    [made([]), /at least one row/],
  ])('says what is wrong with %j', (csv, message) => {
    expect(() => score(csv)).toThrow(message);
  });
});
