import { expected } from '../../contracts/errors.ts';
import { type Expression, expressionText } from './expression.ts';
import { FormulaReader, tokenise, type Variable } from './formula-reader.ts';

export type { Variable };

export interface Formula {
  readonly text: string;
  /** `cbind(successes, failures)` gives two. */
  readonly response: Expression[];
  readonly responseText: string;
  readonly intercept: boolean;
  readonly variables: Variable[];
  /** Each term as indices of its variables; main effects first, then products, as R orders them. */
  readonly terms: number[][];
  readonly offsets: Expression[];
}

/**
 * Reads an R formula: `y ~ a + b`, `a:b`, `a*b`, `(a + b)^2`, `a/b`, `- 1` or `0 +`, `.` for all other columns,
 * `I(x^2)` (or `x^2`), `log(x)`, `factor(x)`, `offset(log(n))`, odd names in backticks.
 */
export function parseFormula(text: string, columns: readonly string[]): Formula {
  const tokens = tokenise(text);
  const split = tokens.findIndex((token) => token.text === '~' && token.kind === 'mark');
  if (split < 1)
    throw expected("'outcome ~ variables'", '--formula', text, "for instance 'accuracy ~ model + scenario'");
  const left = new FormulaReader(tokens.slice(0, split), text);
  const response = left.response();
  left.end();
  const used = new Set(response.flatMap(namesIn));
  const right = new FormulaReader(
    tokens.slice(split + 1),
    text,
    columns.filter((name) => !used.has(name)),
  );
  const model = right.sum();
  right.end();
  const terms = [...model.terms.values()].sort((a, b) => a.length - b.length);
  return {
    text,
    response,
    responseText:
      response.length > 1 ? `cbind(${response.map(expressionText).join(', ')})` : expressionText(response[0]),
    intercept: model.intercept ?? true,
    variables: right.variables,
    terms,
    offsets: right.offsets,
  };
}

export function namesIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name];
    case 'number':
      return [];
    case 'call':
      return namesIn(expression.argument);
    case 'operation':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}
