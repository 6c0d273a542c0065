import { describe, expect, it } from 'vitest';
import { buildDesign, type DesignOptions, emptyCells, orderLevels } from './design.ts';
import { parseFormula } from './formula.ts';
import { tableFrom } from './table.ts';

const table = tableFrom({
  y: Float64Array.of(1, 2, 3, 4, 5, 6),
  model: ['B', 'A', 'B', 'A', 'C', 'C'],
  scenario: ['original', 'fog:severity=3+region=background', 'blur', 'original', 'blur', 'original'],
  class: ['10', '9', '2', '10', '9', '2'],
  x: Float64Array.of(1, 2, 3, 4, 5, 6),
});
const rows = Uint32Array.of(0, 1, 2, 3, 4, 5);
const design = (text: string, options?: DesignOptions) =>
  buildDesign(parseFormula(text, table.names), table, rows, options);

describe('buildDesign', () => {
  it('names columns and picks reference levels', () => {
    expect(design('y ~ model + scenario').names).toEqual([
      'Intercept',
      'model[B]',
      'model[C]',
      'scenario[blur]',
      'scenario[fog:severity=3+region=background]',
    ]);
    expect(design('y ~ model', { references: new Map([['model', 'C']]) }).names).toEqual([
      'Intercept',
      'model[A]',
      'model[B]',
    ]);
  });

  it('numbers are numbers unless asked for as factors, which are ordered by number', () => {
    expect(design('y ~ class').names).toEqual(['Intercept', 'class']);
    expect(design('y ~ class', { asFactor: new Set(['class']) }).names).toEqual(['Intercept', 'class[9]', 'class[10]']);
    expect(design('y ~ factor(x)').names.slice(0, 3)).toEqual(['Intercept', 'x[2]', 'x[3]']);
    expect(orderLevels(['10', '9', '2'])).toEqual(['2', '9', '10']);
    expect(orderLevels(['b', 'B', 'a', ''])).toEqual(['', 'B', 'a', 'b']);
  });

  it("codes products and missing intercepts as R's model.matrix", () => {
    // R 4.2.2: colnames(model.matrix(~ …))
    expect(design('y ~ 0 + model + scenario').names.slice(0, 4)).toEqual([
      'model[A]',
      'model[B]',
      'model[C]',
      'scenario[blur]',
    ]);
    expect(design('y ~ x:model').names).toEqual(
      ['Intercept', 'model[A]:x', 'model[B]:x', 'model[C]:x'].map((n) => n.replace(/(.*):x/, 'x:$1')),
    );
    expect(design('y ~ model*x').names).toEqual(['Intercept', 'model[B]', 'model[C]', 'x', 'model[B]:x', 'model[C]:x']);
    const crossed = design('y ~ model:scenario');
    expect(crossed.names).toHaveLength(10);
    expect(crossed.names.slice(0, 3)).toEqual([
      'Intercept',
      'model[A]:scenario[original]',
      'model[B]:scenario[original]',
    ]);
    expect(design('y ~ 0 + x + model').names).toEqual(['x', 'model[A]', 'model[B]', 'model[C]']);
  });

  it('leaves out a factor with one level and says so', () => {
    const one = buildDesign(parseFormula('y ~ model + x', table.names), table, Uint32Array.of(1, 3));
    expect(one.constant).toEqual(['model']);
    expect(one.names).toEqual(['Intercept', 'x']);
  });

  it('names what cannot be a reference', () => {
    expect(() => design('y ~ model', { references: new Map([['model', 'Z']]) })).toThrow(
      "No 'Z' among the values of 'model'",
    );
    expect(() => design('y ~ model', { references: new Map([['scenario', 'blur']]) })).toThrow('there is model');
    expect(() => design('y ~ x', { references: new Map([['x', '1']]) })).toThrow('--factor x');
    expect(() => design('y ~ camera')).toThrow("No column 'camera'");
  });

  it('names cells without data', () => {
    const { factors, n } = design('y ~ model + scenario');
    const empty = emptyCells(factors, n);
    expect(empty.count).toBe(3);
    expect(empty.cells).toContain('model[B]:scenario[fog:severity=3+region=background]');
  });
});
