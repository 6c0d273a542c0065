import { describe, expect, it } from 'vitest';
import { evaluate } from './expression.ts';
import { parseFormula } from './formula.ts';
import { tableFrom } from './table.ts';

const columns = ['y', 'a', 'b', 'c', 'x', 'blur (px)', 'n'];
const shape = (text: string) => {
  const { terms, variables, intercept, responseText } = parseFormula(text, columns);
  return `${responseText} ~ ${intercept ? 1 : 0} ${terms.map((term) => term.map((v) => variables[v].label).join(':')).join(' ')}`.trim();
};

describe('parseFormula', () => {
  // Right sides as R 4.2.2's terms() orders them.
  it.each([
    ['y ~ a + b', 'y ~ 1 a b'],
    ['y~a*b', 'y ~ 1 a b a:b'],
    ['y ~ a:b + c', 'y ~ 1 c a:b'],
    ['y ~ a*b*c', 'y ~ 1 a b c a:b a:c b:c a:b:c'],
    ['y ~ a*b*c - a:b:c', 'y ~ 1 a b c a:b a:c b:c'],
    ['y ~ (a + b + c)^2', 'y ~ 1 a b c a:b a:c b:c'],
    ['y ~ (a + b)*c', 'y ~ 1 a b c a:c b:c'],
    ['y ~ a/b', 'y ~ 1 a a:b'],
    ['y ~ a - 1', 'y ~ 0 a'],
    ['y ~ 0 + a + b', 'y ~ 0 a b'],
    ['y ~ -1 + a', 'y ~ 0 a'],
    ['y ~ 1', 'y ~ 1'],
    ['y ~ a + 0 + 1', 'y ~ 1 a'],
    ['y ~ a + a + b:a + a:b', 'y ~ 1 a a:b'],
    ['y ~ .', 'y ~ 1 a b c x blur (px) n'],
    ['y ~ . - x - `blur (px)` - n', 'y ~ 1 a b c'],
    ['log(y) ~ I(x^2) + x', 'log(y) ~ 1 I(x^2) x'],
    ['y ~ x + x^2', 'y ~ 1 x I(x^2)'],
    ['y ~ x^2 + x', 'y ~ 1 I(x^2) x'],
    ['y ~ `blur (px)`:a', 'y ~ 1 blur (px):a'],
    ['y ~ factor(x) + I(2*x - 1/n)', 'y ~ 1 x I((2 * x) - (1 / n))'],
    ['cbind(y, n) ~ a', 'cbind(y, n) ~ 1 a'],
  ])('%s', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  it('keeps offsets apart', () => {
    const formula = parseFormula('y ~ a + offset(log(n))', columns);
    expect(formula.offsets).toHaveLength(1);
    expect(formula.terms).toHaveLength(1);
  });

  it('says what it does not understand, and where', () => {
    expect(() => parseFormula('y', columns)).toThrow("Expected 'outcome ~ variables' for --formula");
    expect(() => parseFormula('y ~ a + ', columns)).toThrow('did not expect its end');
    expect(() => parseFormula('y ~ a b', columns)).toThrow("did not expect 'b' at character 7");
    expect(() => parseFormula('y ~ 2*a', columns)).toThrow("did not expect '2'");
    expect(() => parseFormula('y ~ poly(x)', columns)).toThrow("Unknown function 'poly'");
    expect(() => parseFormula('y ~ a$b', columns)).toThrow('backticks');
  });
});

describe('evaluate', () => {
  const table = tableFrom({ x: Float64Array.of(3, 0.1, -2), n: Float64Array.of(1, 10, 100) });
  const value = (text: string) =>
    Array.from(evaluate(parseFormula(`y ~ ${text}`, []).variables[0].expression, table).values);

  it('computes with columns', () => {
    expect(value('I(x^2 + 2*n)')).toEqual([11, 20.01, 204]);
    expect(value('I(-x^2)')).toEqual([-9, -0.010000000000000002, -4]);
    expect(value('I((x - 1)/n)')).toEqual([2, -0.09, -0.03]);
    expect(value('log10(n)')).toEqual([0, 1, 2]);
    expect(value('I(n^0.5)')).toEqual([1, Math.sqrt(10), 10]);
  });

  it('keeps what rounding takes from powers', () => {
    const { values, low } = evaluate(parseFormula('y ~ I(x^2)', []).variables[0].expression, table);
    // 0.1 as a double, squared exactly, minus the rounded square.
    expect(values[1] + (low?.[1] ?? 0)).toBe(values[1]);
    expect(low?.[1]).toBeCloseTo(-8.326672684688674e-19, 33);
  });

  it('names a column that is missing', () => {
    expect(() => value('I(z + 1)')).toThrow("No column 'z' in the table; it has 'x', 'n'");
  });
});
