import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/metrics/analyze/analyze.ts';
import { type ColumnTable, tableFrom } from '../../src/metrics/analyze/table.ts';
import { randomFor } from '../../src/stats/random.ts';

/**
 * The regression of XIMAGENET-12's supplement (Fig. 9) and its poster, as printed. The data were not published, but their
 * design is known: 5 models × 9 scenarios × 12 classes, accuracies to 0.01, so that coefficients are multiples of 1/10800,
 * 1/6000 and 1/4500, and residual SD 0.106155. Any residuals orthogonal to the design and of that SD give the same table.
 */
const printed = `
Intercept|0.8642|0.02238|0.8202|0.9082|38.62|<0.0001|****
model[EfficientNetB3]|-0.006667|0.01445|-0.03505|0.02171|0.4615|0.6446|ns
model[DenseNet121]|0.05000|0.01445|0.02162|0.07838|3.461|0.0006|***
model[MobileNetV2]|0.04000|0.01445|0.01162|0.06838|2.769|0.0058|**
model[ResNet50]|0.03444|0.01445|0.006065|0.06282|2.384|0.0175|*
scenario[blur_background]|-0.04250|0.01938|-0.08058|-0.004424|2.193|0.0288|*
scenario[blur_object]|-0.07000|0.01938|-0.1081|-0.03192|3.612|0.0003|***
scenario[image_g]|-0.1257|0.01938|-0.1637|-0.08759|6.484|<0.0001|****
scenario[image_b]|-0.09850|0.01938|-0.1366|-0.06042|5.082|<0.0001|****
scenario[image_grey]|-0.06517|0.01938|-0.1032|-0.02709|3.362|0.0008|***
scenario[image_r]|-0.08700|0.01938|-0.1251|-0.04892|4.489|<0.0001|****
scenario[Random Background with Real Environment]|-0.7078|0.01938|-0.7459|-0.6698|36.52|<0.0001|****
scenario[Segmented_image]|-0.3012|0.01938|-0.3392|-0.2631|15.54|<0.0001|****
class[1]|0.1340|0.02238|0.09003|0.1780|5.988|<0.0001|****
class[2]|-0.04867|0.02238|-0.09263|-0.004701|2.175|0.0301|*
class[3]|0.04000|0.02238|-0.003966|0.08397|1.787|0.0745|ns
class[4]|0.1004|0.02238|0.05648|0.1444|4.488|<0.0001|****
class[5]|0.1333|0.02238|0.08937|0.1773|5.958|<0.0001|****
class[6]|0.07667|0.02238|0.03270|0.1206|3.426|0.0007|***
class[7]|0.01044|0.02238|-0.03352|0.05441|0.4667|0.6409|ns
class[8]|0.09067|0.02238|0.04670|0.1346|4.051|<0.0001|****
class[9]|0.09933|0.02238|0.05537|0.1433|4.439|<0.0001|****
class[10]|0.1651|0.02238|0.1211|0.2091|7.378|<0.0001|****
class[11]|-0.02244|0.02238|-0.06641|0.02152|1.003|0.3164|ns`
  .trim()
  .split('\n')
  .map((line) => line.split('|'));

interface Effects {
  readonly intercept: number;
  /** Level → effect; the reference has 0. */
  readonly factors: Record<'model' | 'scenario' | 'class', Map<string, number>>;
  readonly sd: number;
}

/** A complete design with the given effects and residuals without any main effect, of exactly the given SD. */
function balanced({ intercept, factors, sd }: Effects): ColumnTable {
  const [models, scenarios, classes] = [factors.model, factors.scenario, factors.class].map((levels) => [...levels]);
  const shape = [models.length, scenarios.length, classes.length];
  const random = randomFor('golden');
  const residual = Float64Array.from({ length: shape[0] * shape[1] * shape[2] }, () => random.normal());
  const at = (m: number, s: number, c: number) => (m * shape[1] + s) * shape[2] + c;
  const indices = Array.from(residual, (_, i) => [Math.floor(i / (shape[1] * shape[2])), Math.floor(i / shape[2]) % shape[1], i % shape[2]]);
  // Taking each factor's level means out removes all main effects from a complete design.
  for (let axis = 0; axis < 3; axis++) {
    const sums = new Float64Array(shape[axis]);
    for (const [i, index] of indices.entries()) sums[index[axis]] += residual[i];
    const per = residual.length / shape[axis];
    for (const [i, index] of indices.entries()) residual[i] -= sums[index[axis]] / per;
  }
  const df = residual.length - (shape[0] + shape[1] + shape[2] - 2);
  const scale = (sd * Math.sqrt(df)) / Math.sqrt(residual.reduce((sum, e) => sum + e * e, 0));
  const accuracy = new Float64Array(residual.length);
  for (const [m, s, c] of indices)
    accuracy[at(m, s, c)] = intercept + models[m][1] + scenarios[s][1] + classes[c][1] + scale * residual[at(m, s, c)];
  return tableFrom({
    model: indices.map(([m]) => models[m][0]),
    scenario: indices.map(([, s]) => scenarios[s][0]),
    class: indices.map(([, , c]) => classes[c][0]),
    accuracy,
  });
}

const snap = (value: number, step: number) => Math.round(value / step) * step;
const levelsOf = (variable: string, reference: string, step: number) =>
  new Map([
    [reference, 0],
    ...printed
      .filter(([term]) => term.startsWith(`${variable}[`))
      .map(([term, estimate]): [string, number] => [term.slice(variable.length + 1, -1), snap(Number(estimate), step)]),
  ]);

const ex1 = balanced({
  intercept: 0.8642,
  factors: {
    model: levelsOf('model', 'EfficientNetB0', 1 / 10800),
    scenario: levelsOf('scenario', 'Original', 1 / 6000),
    class: levelsOf('class', '0', 1 / 4500),
  },
  sd: 0.106155,
});

/** As many significant digits as were printed. */
function asPrinted(value: number | null | undefined, like: string): string {
  if (value === null || value === undefined) return '–';
  const digits = like.replace('-', '').replace(/^0\.?0*/, '').replace('.', '').length;
  return value.toPrecision(digits);
}
const printedP = (p: number | null | undefined) => (p === null || p === undefined ? '–' : p < 0.0001 ? '<0.0001' : p.toFixed(4));

describe("XIMAGENET-12's regression", () => {
  const references = new Map([['model', 'EfficientNetB0'], ['scenario', 'Original'], ['class', '0']]);
  const result = analyze(ex1, { formula: 'accuracy ~ model + scenario + class', references });

  it('has the design that the printed errors prove', () => {
    expect([result.n, result.df]).toEqual([540, 516]);
    expect(result.syx).toBeCloseTo(0.106155, 9);
    expect(result.emptyCells.count).toBe(0);
    for (const name of ['model', 'scenario', 'class']) expect(result.vif[name].gvif).toBeCloseTo(1, 9);
  });

  it.each(printed)('prints %s as the supplement does', (name, estimate, se, low, high, t, p, stars) => {
    const term = result.terms.find((row) => row.term === name);
    expect([
      asPrinted(term?.estimate, estimate),
      asPrinted(term?.se, se),
      asPrinted(term?.ci?.[0], low),
      asPrinted(term?.ci?.[1], high),
      asPrinted(Math.abs(term?.statistic ?? 0), t),
      printedP(term?.p),
      term?.stars,
    ]).toEqual([estimate, se, low, high, t, p, stars]);
    expect(Math.sign(term?.statistic ?? 0)).toBe(Math.sign(Number(estimate)));
  });

  it('says it in one sentence per coefficient that matters', () => {
    const significant = printed.filter(([, , , , , , , stars]) => stars !== 'ns').length;
    expect(result.sentences).toHaveLength(significant);
    expect(result.sentences[0]).toBe('At the reference (model EfficientNetB0, scenario Original, class 0) the fitted accuracy is 86.4 % (82.0 % to 90.8 %).');
    expect(result.sentences).toContainEqual(
      'scenario Segmented_image: accuracy is 30.1 points lower than with Original, all else equal (95 % interval −33.9 to −26.3, P < 0.0001 ****).',
    );
  });

  it('finds the scenario to matter most, and minds its own limits', () => {
    expect(result.shares?.map(({ term }) => term)).toEqual(['model', 'scenario', 'class']);
    expect(result.shares?.[1].share).toBeGreaterThan(0.8);
    expect(result.shares?.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(result.caveats.join(' ')).toMatch(/share their images/);
    expect(result.caveats.join(' ')).toMatch(/between 0 and 1/);
  });

  it("gives the poster's rows with ResNet50 as reference", () => {
    const poster = analyze(ex1, {
      formula: 'accuracy ~ model + scenario + class',
      references: new Map([['model', 'ResNet50'], ['scenario', 'Original']]),
    });
    const row = (name: string) => poster.terms.find(({ term }) => term === name);
    expect(asPrinted(row('Intercept')?.estimate, '0.8986')).toBe('0.8986');
    const rows = [
      ['model[EfficientNetB0]', '-0.0344', '0.0175'],
      ['model[EfficientNetB3]', '-0.0411', '0.0046'],
      ['model[DenseNet121]', '0.01556', '0.2821'],
      ['model[MobileNetV2]', '0.005556', '0.7007'],
    ];
    for (const [name, estimate, p] of rows) expect([asPrinted(row(name)?.estimate, estimate), printedP(row(name)?.p)]).toEqual([estimate, p]);
    for (const [name] of printed.filter(([term]) => /^(scenario|class)/.test(term)))
      expect(row(name)?.estimate).toBeCloseTo(result.terms.find(({ term }) => term === name)?.estimate ?? Number.NaN, 12);
  });

  it('is not right with the wrong reference', () => {
    const wrong = analyze(ex1, { formula: 'accuracy ~ model + scenario + class', references: new Map([['scenario', 'image_g']]) });
    expect(wrong.terms[0].estimate).not.toBeCloseTo(0.8642, 3);
  });
});

describe("the poster's regression of segmentation models (EX3)", () => {
  // Reference model, Original, class 0; the printed t and P fix the residual SD of 7 × 9 × 12 rows at 0.1291.
  const rows = `
model[dpt.vit-b16]|-0.1999|<0.0001|****
model[upernet.swin]|-0.2211|<0.0001|****
model[upernet.vit-b16_ln_mln]|-0.1695|<0.0001|****
model[pspn.r50-d8]|-0.045|0.0106|*
model[pn.r50]|-0.2081|<0.0001|****
model[upernet.r50]|-0.05796|0.001|**
scenario[blur.background]|0.01833|0.3576|ns
scenario[blur.object]|-0.1571|<0.0001|****
scenario[image_g]|-0.07131|0.0004|***
scenario[image_b]|-0.03952|0.0476|*
scenario[image.grey]|-0.01929|0.3332|ns
scenario[image_r]|-0.07702|0.0001|***
scenario[segmented.image]|-0.08143|<0.0001|****
scenario[generated.background]|-0.1408|<0.0001|****
class[1]|0.07619|0.001|***
class[2]|-0.06508|0.0048|**
class[3]|0.05222|0.0234|*
class[4]|0.08127|0.0004|***
class[5]|0.2713|<0.0001|****
class[6]|0.3021|<0.0001|****
class[7]|0.1641|t 7.137|****
class[8]|0.1548|t 6.73|****
class[9]|0.2216|t 9.635|****
class[10]|0.2689|t 11.69|****
class[11]|0.04079|t 1.774|ns`
    .trim()
    .split('\n')
    .map((line) => line.split('|'));
  // Of 108, 84 and 63 accuracies to 0.01 each.
  const levels = (variable: string, reference: string, step: number) =>
    new Map([
      [reference, 0],
      ...rows
        .filter(([term]) => term.startsWith(`${variable}[`))
        .map(([term, value]): [string, number] => [term.slice(variable.length + 1, -1), snap(Number(value), step)]),
    ]);
  const table = balanced({
    intercept: 0.6672,
    factors: { model: levels('model', 'reference', 1 / 10800), scenario: levels('scenario', 'Original', 1 / 8400), class: levels('class', '0', 1 / 6300) },
    sd: 0.129072,
  });
  const result = analyze(table, {
    formula: 'accuracy ~ model + scenario + class',
    references: new Map([['model', 'reference'], ['scenario', 'Original'], ['class', '0']]),
  });

  it.each(rows)('%s: %s, %s %s', (name, estimate, shown, stars) => {
    const term = result.terms.find((row) => row.term === name);
    expect(Math.abs((term?.estimate ?? 0) - Number(estimate))).toBeLessThan(6e-5);
    if (shown.startsWith('t ')) expect(asPrinted(term?.statistic, shown.slice(2))).toBe(shown.slice(2));
    else if (shown !== '<0.0001') expect(Number(printedP(term?.p))).toBe(Number(shown));
    else expect(term?.p).toBeLessThan(0.0001);
    // The poster stars 0.001 once with two stars and once with three; both are within its rounding.
    if (shown !== '0.001') expect(term?.stars).toBe(stars);
  });

  it('has 730 degrees of freedom', () => expect([result.n, result.df]).toEqual([756, 730]));
});
