import { describe, expect, it } from 'vitest';
import nist from '../../../test/fixtures/stats/nist.json' with { type: 'json' };
import { randomFor } from '../../stats/random.ts';
import { parseCsv } from '../csv.ts';
import { toPredictions } from '../table/predictions.ts';
import { analyze } from './analyze.ts';
import { collapse, groupBy } from './collapse.ts';
import { parseReferences } from './options.ts';
import { sourceKind } from './prepare.ts';
import { tableFrom } from './table.ts';

const models = ['A', 'B'];
const scenarios = ['original', 'fog:severity=3+region=background', 'size:0.05'];
const classes = ['cat', 'dog', 'fox'];
const perClass = 40;

/** Answers in which images differ much in difficulty, so that answers about one image go together. */
function simulate(seed: number, { groups = false } = {}) {
  const random = randomFor('predictions', seed);
  const lines = [`model,scenario,sample,label,prediction${groups ? ',group' : ''}`];
  for (const label of classes)
    for (let i = 0; i < perClass; i++) {
      const easy = random.normal();
      for (const model of models)
        for (const scenario of scenarios) {
          const logit = 1 + 1.5 * easy - (scenario.startsWith('fog') ? 1 : 0) - (model === 'B' ? 0.4 : 0);
          const right = random.uniform() < 1 / (1 + Math.exp(-logit));
          const group = groups ? `,video${Math.floor(i / 4)}-${label}` : '';
          lines.push(`${model},${scenario},${label}/${i}.jpg,${label},${right ? label : 'wolf'}${group}`);
        }
    }
  return parseCsv(`${lines.join('\n')}\n`, 'predictions.csv');
}

describe('predictions', () => {
  const table = simulate(1);
  const result = analyze(table);

  it('become one row per model, scenario and class', () => {
    expect(sourceKind(table)).toBe('predictions');
    expect(result.formula).toBe('accuracy ~ model + scenario + class');
    expect(result.n).toBe(18);
    expect(result.terms.map(({ term }) => term)).toEqual([
      'Intercept',
      'model[B]',
      'scenario[fog:severity=3+region=background]',
      'scenario[size:0.05]',
      'class[dog]',
      'class[fox]',
    ]);
    const cells = collapse(table).table;
    expect(Array.from(cells.numbers('n'))).toEqual(new Array(18).fill(perClass));
    const accuracy = Array.from(cells.numbers('accuracy'), (value) => value.toFixed(12)).sort();
    const asTable = tableFrom({
      model: Array.from(cells.text('model').codes, (code) => cells.text('model').levels[code]),
      scenario: Array.from(cells.text('scenario').codes, (code) => cells.text('scenario').levels[code]),
      class: Array.from(cells.text('class').codes, (code) => cells.text('class').levels[code]),
      accuracy: cells.numbers('accuracy'),
    });
    expect(accuracy).toHaveLength(18);
    const same = analyze(asTable);
    expect(same.terms.map(({ estimate, se }) => [estimate, se])).toEqual(
      result.terms.map(({ estimate, se }) => [estimate, se]),
    );
  });

  it('references with colons, equals and plus signs are understood', () => {
    const references = parseReferences(['model=B,scenario=fog:severity=3+region=background']);
    expect(references.get('scenario')).toBe('fog:severity=3+region=background');
    const turned = analyze(table, { references, replicates: 0 });
    expect(turned.references).toMatchObject({ model: 'B', scenario: 'fog:severity=3+region=background' });
    const effect = (name: string, from = result) =>
      from.terms.find(({ term }) => term === name)?.estimate ?? Number.NaN;
    expect(effect('scenario[original]', turned)).toBeCloseTo(-effect('scenario[fog:severity=3+region=background]'), 12);
    expect(() => parseReferences(['original'])).toThrow('VARIABLE=LEVEL');
  });

  it('errors by images come from the images, not the cells, and repeat with the seed', () => {
    expect(result.bootstrap).toMatchObject({ cluster: 'sample', clusters: 120, replicates: 1999 });
    // The linearised form of the same resampling.
    const linear = analyze(table, { cluster: 'sample', replicates: 0 });
    for (const [i, term] of result.terms.entries()) {
      const ratio = (term.bootstrap?.se ?? 0) / (linear.terms[i].se ?? 0);
      expect(ratio, term.term).toBeGreaterThan(0.9);
      expect(ratio, term.term).toBeLessThan(1.1);
    }
    expect(analyze(table).terms).toEqual(result.terms);
    expect(analyze(table, { seed: 5 }).terms).not.toEqual(result.terms);
    expect(result.shares?.every(({ ci }) => ci !== null && ci[0] <= ci[1])).toBe(true);
    expect(analyze(table, { replicates: 0 }).bootstrap).toBeNull();
  });

  it('groups are resampled where they are given', () => {
    const grouped = analyze(simulate(2, { groups: true }), { replicates: 50 });
    expect(grouped.bootstrap).toMatchObject({ cluster: 'group', clusters: 30, replicates: 50 });
  });

  it('binomial: one answer per image, n and deviance those of the answers', () => {
    const binomial = analyze(table, { family: 'binomial', cluster: 'sample' });
    expect(binomial.formula).toBe('correct ~ model + scenario + class');
    expect(binomial.n).toBe(720);
    expect(binomial.errors).toMatchObject({ kind: 'cluster', by: 'sample', clusters: 120, distribution: 'normal' });
    // The same answers as a plain table of 0 and 1 with the same columns.
    const cells = collapse(table);
    const text = (name: string) => {
      const { codes, levels } = table.text(name);
      return Array.from(codes, (code) => levels[code]);
    };
    const plain = tableFrom({
      hit: Float64Array.from(cells.correct),
      model: text('model'),
      scene: text('scenario'),
      class: text('label'),
      image: text('sample'),
    });
    const same = analyze(plain, { formula: 'hit ~ model + scene + class', family: 'binomial', cluster: 'image' });
    expect(same.n).toBe(720);
    expect(same.deviance?.residual).toBeCloseTo(binomial.deviance?.residual ?? 0, 8);
    for (const [i, term] of same.terms.entries()) {
      expect(term.estimate).toBeCloseTo(binomial.terms[i].estimate ?? 0, 10);
      expect(term.se).toBeCloseTo(binomial.terms[i].se ?? 0, 10);
    }
    // Answers about one image go together: for what all images share the plain error is too small.
    const naive = analyze(table, { family: 'binomial' });
    expect(binomial.terms[0].se ?? 0).toBeGreaterThan(1.2 * (naive.terms[0].se ?? 0));
    expect(naive.caveats.join()).toMatch(/--cluster sample/);
  });

  it('takes a column of right and wrong, and refuses other words in it', () => {
    const csv =
      'model,scenario,sample,label,correct\nA,original,1,x,TRUE\nA,fog,1,x,false\nA,original,2,x,1\nA,fog,2,x,0\n';
    expect(Array.from(collapse(parseCsv(csv)).correct)).toEqual([1, 0, 1, 0]);
    expect(() => collapse(parseCsv(csv.replace('TRUE', 'maybe')))).toThrow("found 'maybe'");
  });

  it('an outcome that does not fit the family is refused with the way out', () => {
    expect(() => analyze(table, { formula: 'correct ~ model' })).toThrow('--family binomial');
    expect(analyze(table, { formula: 'accuracy ~ model', family: 'binomial' }).notes[0]).toMatch(/one per image/);
  });

  it('poisson counts errors per cell', () => {
    const counts = analyze(table, { formula: 'errors ~ model + scenario + offset(log(n))', family: 'poisson' });
    expect(counts.n).toBe(18);
    expect(counts.terms.find(({ term }) => term.startsWith('scenario[fog'))?.estimate).toBeGreaterThan(0);
  });
});

describe('accuracy tables', () => {
  it('take class, model and scenario as words even where they are numbers', () => {
    const rows = ['model,scenario,class,accuracy,n'];
    for (const model of [18, 50])
      for (const scenario of ['original', 'fog'])
        for (const label of [0, 1, 10, 2])
          rows.push(`${model},${scenario},${label},${(0.5 + label / 40 + model / 500).toFixed(3)},40`);
    const table = parseCsv(rows.join('\n'));
    const result = analyze(table);
    expect(result.terms.map(({ term }) => term)).toEqual([
      'Intercept',
      'model[50]',
      'scenario[fog]',
      'class[1]',
      'class[2]',
      'class[10]',
    ]);
    const binomial = analyze(table, { family: 'binomial' });
    expect(binomial.notes.join()).toMatch(/column 'n'/);
    expect(binomial.n).toBe(16);
  });
});

it('groupBy numbers cells by first appearance', () => {
  const { cell, first } = groupBy(
    [
      { codes: Uint32Array.of(1, 0, 1, 1), levels: ['a', 'b'] },
      { codes: Uint32Array.of(0, 0, 0, 1), levels: ['x', 'y'] },
    ],
    4,
  );
  expect(Array.from(cell)).toEqual([0, 1, 0, 2]);
  expect(Array.from(first)).toEqual([0, 1, 3]);
});

it("NIST's Filip comes out right from a formula, x¹⁰ and all", () => {
  const { x, y, estimates, se } = nist.sets.Filip;
  const table = tableFrom({ x: Float64Array.from(x, (row) => row[0]), y: Float64Array.from(y) });
  const powers = Array.from({ length: 9 }, (_, i) => `I(x^${i + 2})`).join(' + ');
  const result = analyze(table, { formula: `y ~ x + ${powers}` });
  expect(result.aliased).toEqual([]);
  for (const [j, term] of result.terms.entries()) {
    expect(Math.abs((term.estimate ?? 0) / Number(estimates[j]) - 1)).toBeLessThan(1e-12);
    expect(Math.abs((term.se ?? 0) / Number(se[j]) - 1)).toBeLessThan(1e-12);
  }
});

describe('rows that contradict each other', () => {
  const header = 'model,scenario,sample,label,prediction';
  const rows = ['m,original,s1,cat,cat', 'm,grey,s1,cat,dog', 'm,original,s2,dog,dog', 'm,grey,s2,dog,dog'];

  it('are refused as score refuses them', () => {
    const twice = parseCsv([header, ...rows, 'm,grey,s1,cat,cat'].join('\n'), 'made.csv');
    expect(() => analyze(twice)).toThrow(/Rows 2 and 5 of made.csv are the same answer twice/);
    const accuracies = ['model,scenario,accuracy', 'm,original,0.9', 'm,grey,0.5', 'm,grey,0.8'].join('\n');
    expect(() => analyze(parseCsv(accuracies, 'made.csv'))).toThrow(/Rows 2 and 3 of made.csv are about the same/);
  });

  it('are none where a further column tells them apart', () => {
    const days = [
      'model,scenario,day,accuracy',
      'm,original,1,0.9',
      'm,grey,1,0.5',
      'm,grey,1,0.8',
      'm,original,2,0.8',
    ];
    expect(analyze(parseCsv(days.join('\n'), 'made.csv')).n).toBe(4);
  });

  it('and a probability of 7.5 is none', () => {
    const csv = [`${header},probability`, ...rows.map((row, i) => `${row},${i === 2 ? 7.5 : 0.5}`)].join('\n');
    expect(() => toPredictions(parseCsv(csv, 'made.csv'))).toThrow(
      /Expected a probability from 0 to 1 for column 'probability', row 3 of made.csv but received 7.5/,
    );
  });
});
