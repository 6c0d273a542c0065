import { UserError } from '../../contracts/errors.ts';
import type { DesignColumn } from '../../stats/columns.ts';
import type { Pair } from '../../stats/double-double.ts';
import * as dd from '../../stats/double-double.ts';
import { type ColumnTable, missingColumn } from './table.ts';

/** Arithmetic over columns, as in `I(x^2)` or `log(n)`. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'call'; readonly name: string; readonly argument: Expression }
  | {
      readonly kind: 'operation';
      readonly operator: '+' | '-' | '*' | '/' | '^';
      readonly left: Expression;
      readonly right: Expression;
    };

export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'number':
      return String(expression.value);
    case 'call':
      return `${expression.name}(${expressionText(expression.argument)})`;
    case 'operation': {
      const { operator, left, right } = expression;
      if (operator === '-' && left.kind === 'number' && left.value === 0) return `-${wrapped(right)}`;
      const gap = operator === '^' ? '' : ' ';
      return `${wrapped(left)}${gap}${operator}${gap}${wrapped(right)}`;
    }
  }
}

const wrapped = (expression: Expression): string =>
  expression.kind === 'operation' ? `(${expressionText(expression)})` : expressionText(expression);

const scalar: Record<string, (x: number) => number> = {
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  exp: Math.exp,
  sqrt: Math.sqrt,
  abs: Math.abs,
};

/**
 * The expression's value in every row, sums, products and whole powers to 32 digits: x¹⁰ rounded to 16 would cost a
 * badly conditioned fit half its digits.
 */
export function evaluate(expression: Expression, table: ColumnTable): DesignColumn {
  const pairs = evaluatePairs(expression, table);
  const values = new Float64Array(table.rowCount);
  const low = new Float64Array(table.rowCount);
  let any = false;
  for (let i = 0; i < table.rowCount; i++) {
    const [high, rest] = pairs(i);
    values[i] = high;
    if (Number.isFinite(high) && rest !== 0) {
      low[i] = rest;
      any = true;
    }
  }
  return any ? { values, low } : { values };
}

function evaluatePairs(expression: Expression, table: ColumnTable): (row: number) => Pair {
  switch (expression.kind) {
    case 'name': {
      if (!table.has(expression.name)) throw missingColumn(expression.name, table.names, table.source);
      const values = table.numbers(expression.name);
      return (row) => [values[row], 0];
    }
    case 'number':
      return () => [expression.value, 0];
    case 'call': {
      const argument = evaluatePairs(expression.argument, table);
      if (expression.name === 'I') return argument;
      const f = scalar[expression.name];
      if (!f) throw new UserError(`${expression.name}() cannot stand inside an expression`);
      return (row) => [f(argument(row)[0]), 0];
    }
    case 'operation': {
      const left = evaluatePairs(expression.left, table);
      const right = evaluatePairs(expression.right, table);
      return operation(expression.operator, left, right, expression.right);
    }
  }
}

function operation(
  operator: '+' | '-' | '*' | '/' | '^',
  left: (row: number) => Pair,
  right: (row: number) => Pair,
  exponent: Expression,
): (row: number) => Pair {
  switch (operator) {
    case '+':
      return (row) => dd.add(left(row), right(row));
    case '-':
      return (row) => dd.add(left(row), dd.negate(right(row)));
    case '*':
      return (row) => dd.multiply(left(row), right(row));
    case '/':
      return (row) => dd.divide(left(row), right(row));
    case '^': {
      const whole = exponent.kind === 'number' && Number.isInteger(exponent.value) && exponent.value >= 0;
      if (whole) return (row) => dd.power(left(row), (exponent as { value: number }).value);
      return (row) => [left(row)[0] ** right(row)[0], 0];
    }
  }
}
