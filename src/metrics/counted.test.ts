import { describe, expect, it } from 'vitest';
import { gateSchema } from '../contracts/config.ts';
import { scenarios } from '../scenarios/registry.ts';
import { analyze } from './analyze/analyze.ts';
import { compare } from './compare/compare-answers.ts';
import { isCounted, mayBeWorst } from './counted.ts';
import { parseCsv } from './csv.ts';
import { evaluateGates } from './gates.ts';
import { rankModels } from './rank/rank.ts';
import { scoreAccuracies } from './score/accuracy-score.ts';
import { scorePredictions } from './score/compute.ts';
import { toAccuracyCells } from './table/accuracy.ts';
import { toPredictions } from './table/predictions.ts';

/** Of 20 images, how many each model has right. */
const right: Record<string, Record<string, number>> = {
  // Sees the object: nothing is left without it, and little is lost to other scenes.
  object: { original: 18, 'random-background': 16, grey: 17, 'only-bg-t': 1, 'no-fg': 1, 'paste-back': 17 },
  // Sees the scene: as good without the object, and lost before other scenes.
  scene: { original: 18, 'random-background': 6, grey: 15, 'only-bg-t': 17, 'no-fg': 16, 'paste-back': 17 },
};
const csvOf = (table: Record<string, Record<string, number>>) =>
  [
    'model,scenario,sample,label,prediction',
    ...Object.entries(table).flatMap(([model, own]) =>
      Object.entries(own).flatMap(([scenario, count]) =>
        Array.from(
          { length: 20 },
          (_, i) =>
            `${model},${scenario},s${i},${i % 2 ? 'cat' : 'dog'},${i < count === (i % 2 === 1) ? 'cat' : 'dog'}`,
        ),
      ),
    ),
  ].join('\n');
const table = parseCsv(csvOf(right), 'made.csv');
const predictions = toPredictions(table);

describe('what counts', () => {
  it('is declared by every scenario', () => {
    const ids = (part: string) => scenarios.filter((scenario) => scenario.part === part).map(({ id }) => id);
    expect(ids('original')).toEqual(['original']);
    expect(ids('removal').sort()).toEqual(['no-fg', 'only-bg-b', 'only-bg-t']);
    expect(ids('control').sort()).toEqual(['inversion', 'noise-background', 'noise-object', 'paste-back']);
  });

  it('is a shift where nobody declared the name, and not because it is written as a folder of ImageNet-9', () => {
    expect(['rust', 'size:0.05', 'fog:severity=3+region=background'].every((name) => isCounted(name))).toBe(true);
    expect(['original', 'only_bg_t', 'Only_BG_B', 'no_fg', 'paste-back'].some((name) => isCounted(name))).toBe(false);
    expect(['only-bg-t', 'paste-back'].every((name) => isCounted(name, 'all'))).toBe(true);
    expect(isCounted('original', 'all')).toBe(false);
  });

  it('ranks the model first that sees the object, not the one that keeps answering without it', () => {
    const [object, scene] = scorePredictions(predictions).models;
    expect(object.robustness?.score).toBeCloseTo(1 - (0.1 ** 2 + 0.05 ** 2) / 2, 12);
    expect(object.meanDrop).toBeCloseTo(0.075, 12);
    expect(object.overShifts).toMatchObject({ accuracy: expect.closeTo(0.825, 12), scenarios: 2 });
    expect(object.worst?.scenario).toBe('random-background');
    expect(object.robustness?.score).toBeGreaterThan(scene.robustness?.score as number);
    const [all, allScene] = scorePredictions(predictions, { count: 'all' }).models;
    expect(all.robustness?.scenarios).toBe(5);
    expect(all.robustness?.score).toBeLessThan(allScene.robustness?.score as number);
  });

  it('is the same for a table of accuracies', () => {
    const cells = toAccuracyCells(
      parseCsv(
        ['model,scenario,accuracy', 'm,original,0.9', 'm,grey,0.8', 'm,only_bg_t,0.1', 'm,paste-back,0.88'].join('\n'),
        'made.csv',
      ),
    );
    expect(scoreAccuracies(cells).models[0]).toMatchObject({
      meanDrop: expect.closeTo(0.1, 12),
      robustness: { scenarios: 1, score: expect.closeTo(0.99, 12) },
      overShifts: { accuracy: 0.8, scenarios: 1 },
    });
    expect(scoreAccuracies(cells, { count: 'all' }).models[0].robustness?.scenarios).toBe(3);
  });

  it('decides ship, rank, the comparison, gates and the default regression', () => {
    const score = scorePredictions(predictions);
    expect(score.ship?.reference).toBe('object');
    const ranked = rankModels(predictions);
    expect(ranked.models[0].model).toBe('object');
    expect(ranked.shifts.flatMap((shift) => shift.scenarios).sort()).toEqual(['grey', 'random-background']);
    const side = (model: string) => ({ predictions, model });
    expect(compare(side('object'), side('scene')).comparison.overall.scenarios).toBe(2);
    const gate = (given: object) =>
      evaluateGates([gateSchema.parse({ model: 'object', ...given })], score, []).map(({ scenario }) => scenario);
    expect(gate({ metric: 'drop', max: 0.5 })).toEqual(['random-background', 'grey']);
    expect(gate({ metric: 'top1', min: 0.5 })).toEqual(['original', 'random-background', 'grey']);
    expect(gate({ metric: 'top1', max: 0.5, scenario: 'only-bg-t' })).toEqual(['only-bg-t']);
    const levels = (options = {}) => analyze(table, options).terms.filter(({ term }) => term.startsWith('scenario['));
    expect(levels().map(({ term }) => term)).toEqual(['scenario[grey]', 'scenario[random-background]']);
    expect(analyze(table).notes[0]).toMatch(/only-bg-t, no-fg, paste-back measure other things/);
    expect(levels({ count: 'all' })).toHaveLength(5);
    expect(levels({ formula: 'accuracy ~ model + scenario' })).toHaveLength(5);
  });

  it('never calls a double exposure what breaks a model most, and still counts it', () => {
    const [own] = scorePredictions(
      toPredictions(parseCsv(csvOf({ m: { original: 18, 'random-background-additive': 2, grey: 15 } }), 'made.csv')),
    ).models;
    expect(mayBeWorst('random-background-additive')).toBe(false);
    expect(own.robustness?.scenarios).toBe(2);
    expect(own.worst?.scenario).toBe('grey');
  });

  it('compares robustness over the scenarios that both have, and lists the others', () => {
    const two = toPredictions(
      parseCsv(
        csvOf({ a: { original: 18, grey: 15, 'tint-red': 2 }, b: { original: 18, grey: 15, rainbow: 17 } }),
        'x',
      ),
    );
    const { comparison } = compare({ predictions: two, model: 'a' }, { predictions: two, model: 'b' });
    expect(comparison.robustness?.difference).toBe(0);
    expect(comparison.only).toEqual({ a: ['tint-red'], b: ['rainbow'] });
    expect(comparison.notes.join()).toMatch(/Only A has tint-red: not compared/);
  });
});
