import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gateSchema } from '../../contracts/config.ts';
import { scoreSchema } from '../../contracts/score.ts';
import { newcombePaired } from '../../stats/proportion.ts';
import { tableFrom } from '../analyze/table.ts';
import { countedRows } from '../counted-rows.ts';
import { parseCsv } from '../csv.ts';
import { evaluateGates } from '../gates.ts';
import { scorePredictions } from '../score/compute.ts';
import type { ScoreOptions } from '../score/options.ts';
import { toPredictions } from '../table/predictions.ts';

/** Per scenario, how many of the images are right; the first ones of them, so that losses are the same images. */
type Right = Record<string, number>;

function score(models: Record<string, Right>, { images = 200, ...options }: ScoreOptions & { images?: number } = {}) {
  const lines = Object.entries(models).flatMap(([model, right]) =>
    Object.entries(right).flatMap(([scenario, count]) =>
      Array.from({ length: images }, (_, i) => {
        const label = 'abcd'[i % 4];
        return `${model},${scenario},s${i},${label},${i < count ? label : 'abcd'[(i + 1) % 4]}`;
      }),
    ),
  );
  const csv = ['model,scenario,sample,label,prediction', ...lines].join('\n');
  return scoreSchema.parse(scorePredictions(toPredictions(parseCsv(csv, 'made.csv')), options));
}
const verdict = (right: Right, options = {}) => {
  const [{ verdict: found }] = score({ m: right }, options).models;
  if (!found) throw new Error('no verdict');
  return found;
};

describe('the verdict about one model', () => {
  it('says that it leans: 30 points lost beyond pasting', () => {
    const found = verdict({ original: 180, 'paste-back': 176, 'random-background': 116 });
    expect(found).toMatchObject({ answer: 'leans', reason: null, images: 200, imagesNeeded: null });
    expect(found.loss?.estimate).toBeCloseTo(0.3, 12);
    expect(found.loss?.ci).toEqual(newcombePaired(116, 60, 0, 24));
    expect(found.pasting).toBeCloseTo(0.02, 12);
    expect(found.words).toMatch(
      /^m leans on the scene: before other backgrounds its objects lose 30 points \(95 % interval 23\.\d to 3\d.*\) beyond the 2 that pasting alone costs, more than the margin of 5\.$/,
    );
  });

  it('says that it does not: five points are ruled out', () => {
    const found = verdict({ original: 180, 'paste-back': 176, 'random-background': 175 });
    expect(found).toMatchObject({ answer: 'does-not', reason: null });
    expect(found.words).toMatch(/^m does not lean on the scene: .*, and a loss of 5 points is ruled out\.$/);
  });

  it('says that it does not know: 12 points on seventeen images, and how many would do', () => {
    const found = verdict({ original: 15, 'paste-back': 15, 'random-background': 13 }, { images: 17 });
    expect(found).toMatchObject({ answer: 'not-settled', reason: null });
    expect(found.imagesNeeded).toBeGreaterThan(17);
    expect(found.words).toMatch(
      /^Whether m leans on the scene is not settled: .*about \d+ images would settle it \(there are 17\)\.$/,
    );
    // And they would: as many images with the same shares.
    const times = (found.imagesNeeded as number) / 17;
    const more = Object.fromEntries(
      Object.entries({ original: 15, 'paste-back': 15, 'random-background': 13 }).map(([name, n]) => [
        name,
        Math.round(n * times),
      ]),
    );
    expect(verdict(more, { images: found.imagesNeeded as number }).answer).toBe('leans');
  });

  it('never takes a loss that is not significant for none', () => {
    const found = verdict({ original: 6, 'paste-back': 6, 'random-background': 4 }, { images: 7 });
    expect(found.loss?.estimate).toBeCloseTo(2 / 7, 12);
    expect(found.words).not.toMatch(/does not lean|recognises/);
  });

  it('takes off what pasting costs: a loss that is the pasting’s is none of the scene’s', () => {
    expect(verdict({ original: 190, 'paste-back': 131, 'random-background': 130 }).answer).toBe('does-not');
    const without = verdict({ original: 190, 'random-background': 130 });
    expect(without).toMatchObject({ answer: 'not-settled', reason: 'no-paste-back', pasting: null });
    expect(without.words).toContain('what pasting alone costs was not measured');
    expect(verdict({ original: 190, 'random-background': 190 }).answer).toBe('does-not');
  });

  it('moves with its margin', () => {
    const right = { original: 180, 'paste-back': 180, 'random-background': 160 };
    expect(verdict(right).answer).toBe('leans');
    expect(verdict(right, { margin: 0.2 }).answer).toBe('does-not');
    expect(verdict(right, { margin: 0.12 }).answer).toBe('not-settled');
  });

  it('does not depend on what else was run', () => {
    const right = { original: 180, 'paste-back': 176, 'random-background': 160 };
    const more = Object.fromEntries(
      ['grey', 'tint-red', 'size:0.05', 'no-fg', 'rainbow'].map((name, i) => [name, 20 * i]),
    );
    expect(verdict({ ...right, ...more })).toEqual(verdict(right));
  });

  it('is not measured where nothing stood before other backgrounds', () => {
    const found = verdict({ original: 180, grey: 100, 'mixed-same': 120 });
    expect(found).toMatchObject({ answer: 'not-measured', loss: null });
    expect(found.words).toContain('was not measured');
  });

  it('takes the mean over several backgrounds, images by their groups, as statsmodels does', () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../../test/fixtures/metrics/${name}`, import.meta.url), 'utf8');
    const wanted = JSON.parse(read('verdict.json')) as { estimate: number; ci: [number, number]; images: number };
    const [{ verdict: found }] = scorePredictions(toPredictions(parseCsv(read('verdict.csv'), 'verdict.csv'))).models;
    expect(found?.images).toBe(wanted.images);
    expect(found?.scenarios.sort()).toEqual(['mixed-rand', 'random-background']);
    expect(found?.loss?.estimate).toBeCloseTo(wanted.estimate, 12);
    expect(found?.loss?.ci[0]).toBeCloseTo(wanted.ci[0], 9);
    expect(found?.loss?.ci[1]).toBeCloseTo(wanted.ci[1], 9);
  });
});

describe('the uncertain border of the masks', () => {
  const right = { original: 190, 'paste-back': 190, 'random-background': 178 };
  const tried = (object: number, background: number) => ({
    'random-background:with-border': object,
    'random-background:without-border': background,
  });

  it('is said to decide where the answer hangs on it', () => {
    const found = verdict({ ...right, ...tried(188, 150) });
    expect(found.border).toMatchObject({ decides: true, scenarios: ['random-background'] });
    expect(found.words).toMatch(/The masks decide it: .*to the object the loss is 1 points, to the background 20\.$/);
  });

  it('is said to decide how much, where both lean and lie further apart than the margin: 8 against 18 points', () => {
    const found = verdict({ ...right, ...tried(174, 154) });
    expect(found.border).toMatchObject({ decides: false, apart: true });
    expect(found.words).toMatch(/How much it is hangs on the masks: .*the loss is 8 points, to the background 18\.$/);
  });

  it('is said not to matter where it does not, and nothing is said where it was not tried', () => {
    const found = verdict({ ...right, 'random-background': 149, ...tried(150, 148) });
    expect(found.border).toMatchObject({ decides: false, apart: false });
    expect(found.words).toMatch(/does not change that\.$/);
    expect(verdict(right).words).not.toContain('border');
  });

  it('takes what pasting costs the same way', () => {
    const pasted = { 'paste-back:with-border': 180, 'paste-back:without-border': 160 };
    const found = verdict({ ...right, ...tried(170, 150), ...pasted });
    expect(found.border?.object.estimate).toBeCloseTo(0.05, 12);
    expect(found.border?.background.estimate).toBeCloseTo(0.05, 12);
  });

  it('says which background was tried where there are several', () => {
    expect(verdict({ ...right, 'mixed-rand': 150, ...tried(188, 150) }).words).toMatch(
      /\(random-background alone was tried both ways\)\.$/,
    );
  });

  it('is in no other number: rows, robustness, drops, ranking and regression are those without it', () => {
    const plain = score({ a: { ...right, grey: 120 }, b: right });
    const both = { ...tried(100, 20), 'paste-back:with-border': 90, 'paste-back:without-border': 80 };
    const withTrials = score({ a: { ...right, grey: 120, ...both }, b: { ...right, ...both } });
    const bare = (found: typeof plain) => ({
      ...found,
      verdict: null,
      models: found.models.map(({ verdict: _, ...model }) => model),
    });
    expect(bare(withTrials)).toEqual(bare(plain));
    const table = tableFrom({ scenario: ['original', ...Object.keys(both), 'random-background', 'paste-back'] });
    expect(countedRows(table, 'all').table.rowCount).toBe(3);
  });

  it('is said of many models where it decides for some, and not where it decides for none', () => {
    const hanging = score({ a: { ...right, ...tried(188, 150) }, b: { ...right, ...tried(178, 177) } });
    expect(hanging.verdict?.words.join(' ')).toMatch(/The masks decide, .*: a \(1 against 20\)\.$/);
    const firm = score({ a: { ...right, ...tried(178, 178) }, b: { ...right, ...tried(178, 177) } });
    expect(firm.verdict?.words.join(' ')).not.toContain('masks');
  });
});

describe('the verdict about many models', () => {
  const leaning = { original: 190, 'paste-back': 188, 'random-background': 100 };
  const steady = { original: 170, 'paste-back': 170, 'random-background': 169 };
  const open = { original: 180, 'paste-back': 180, 'random-background': 171 };

  it('names who leans, who does not and who is open, before any winner', () => {
    const found = score({ a: leaning, b: leaning, c: steady, d: open });
    expect(found.verdict).toMatchObject({ leans: ['a', 'b'], doesNot: ['c'], notSettled: ['d'], notMeasured: [] });
    expect(found.verdict?.words[0]).toMatch(/^2 of 4 models lean on the scene: a and b \(44 points lost/);
    expect(found.verdict?.words[1]).toMatch(/^1 of 4 models does not lean on the scene: c/);
    expect(found.verdict?.words[2]).toMatch(/^Not settled for 1 of 4 models: d .*images would settle it/);
  });

  it('is one for a gate, too', () => {
    const found = score({ a: leaning, c: steady });
    const gate = gateSchema.parse({ metric: 'sceneLoss', max: 0.05, bound: 'confidence' });
    expect(evaluateGates([gate], found, [])).toMatchObject([
      { model: 'a', passed: false, message: expect.stringContaining('a leans on the scene') },
      { model: 'c', passed: true },
    ]);
  });
});

describe('alarms', () => {
  it('are loud where a model guesses, and nothing about it is praised', () => {
    const found = score({ m: { original: 54, 'paste-back': 54, 'random-background': 53, grey: 54 } });
    expect(found.alarms).toMatchObject([{ kind: 'guessing', model: 'm' }]);
    expect(found.alarms?.[0].words).toMatch(
      /27\.0 % .* near the 25\.0 % of guessing: labels or preprocessing are probably wrong/,
    );
    expect(found.models[0].verdict).toMatchObject({ answer: 'not-settled', reason: 'guessing' });
    expect(found.models[0].robustness?.words).toMatch(/says nothing/);
    const gate = gateSchema.parse({ metric: 'sceneLoss', max: 0.05 });
    expect(evaluateGates([gate], found, [])).toMatchObject([{ passed: false }]);
  });

  it('are silent where a model is good, and where it is bad but knows something', () => {
    expect(score({ m: { original: 180, grey: 100 } }).alarms).toEqual([]);
    expect(score({ m: { original: 80, grey: 60 } }).alarms).toEqual([]);
  });

  it('tell a model whose answers are hardly ever one of the classes', () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `m,original,s${i},${'ab'[i % 2]},${i < 2 ? 'ab'[i % 2] : 'z'},${i < 2 ? 1 : 0},1`,
    );
    const csv = ['model,scenario,sample,label,prediction,correct,correctOwn', ...rows].join('\n');
    const found = scorePredictions(toPredictions(parseCsv(csv, 'made.csv')));
    expect(found.alarms).toMatchObject([{ kind: 'outside' }]);
  });
});

describe('the shape of the classes’ accuracies', () => {
  const warningOf = (perClass: number) => {
    const lines = Array.from({ length: 40 }, (_, c) =>
      Array.from({ length: perClass }, (_, i) => `m,original,s${c}-${i},c${c},${c < 6 ? 'c39' : `c${c}`}`),
    ).flat();
    const csv = ['model,scenario,sample,label,prediction', ...lines].join('\n');
    const [{ distribution = [] }] = scorePredictions(toPredictions(parseCsv(csv, 'made.csv'))).models;
    return distribution.find(({ of }) => of === 'classes')?.warning;
  };

  it('is warned about where classes have photographs, and not with one of each', () => {
    expect(warningOf(5)).toContain('The accuracies of the classes');
    expect(warningOf(1)).toBeNull();
  });
});
