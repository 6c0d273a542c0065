import { expected, UserError } from '../../contracts/errors.ts';
import { type Expression, expressionText } from './expression.ts';

/** A variable of the model: a column, or a number computed from columns. */
export interface Variable {
  readonly label: string;
  readonly expression: Expression;
  /** Asked for as a factor with `factor(x)`. */
  readonly factor: boolean;
}

export type Token = { readonly kind: 'name' | 'number' | 'mark'; readonly text: string; readonly at: number };

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|(`[^`]+`)|([\p{L}_.][\p{L}\p{N}_.]*)|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|([~+\-*:/^(),])/gu;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index !== at) break;
    at += match[0].length;
    if (match[1]) tokens.push({ kind: 'name', text: match[1].slice(1, -1), at: match.index });
    else if (match[2]) tokens.push({ kind: 'name', text: match[2], at: match.index });
    else if (match[3]) tokens.push({ kind: 'number', text: match[3], at: match.index });
    else if (match[4]) tokens.push({ kind: 'mark', text: match[4], at: match.index });
  }
  if (at < text.length)
    throw expected('a formula', '--formula', text, `cannot read '${text[at]}'; put odd column names in backticks`);
  return tokens;
}

/** A set of terms, each as indices of its variables. */
export interface FormulaModel {
  terms: Map<string, number[]>;
  /** undefined: not said. */
  intercept: boolean | undefined;
}

const functions = new Set(['I', 'log', 'log2', 'log10', 'exp', 'sqrt', 'abs', 'factor', 'offset']);

/** Reads the two sides of a formula by recursive descent. */
export class FormulaReader {
  readonly variables: Variable[] = [];
  readonly offsets: Expression[] = [];
  private position = 0;
  private readonly tokens: Token[];
  private readonly text: string;
  private readonly others: readonly string[];

  constructor(tokens: Token[], text: string, others: readonly string[] = []) {
    this.tokens = tokens;
    this.text = text;
    this.others = others;
  }

  end(): void {
    if (this.position < this.tokens.length) throw this.unexpected();
  }

  response(): Expression[] {
    if (this.peek('cbind') && this.tokens[this.position + 1]?.text === '(') {
      this.position += 2;
      const first = this.arithmetic();
      this.take(',');
      const second = this.arithmetic();
      this.take(')');
      return [first, second];
    }
    return [this.arithmetic()];
  }

  sum(): FormulaModel {
    let model: FormulaModel = { terms: new Map(), intercept: undefined };
    let sign = this.accept('-') ? '-' : this.accept('+') ? '+' : '+';
    for (;;) {
      const next = this.product();
      if (sign === '+') {
        for (const [key, term] of next.terms) model.terms.set(key, term);
        model.intercept = next.intercept ?? model.intercept;
      } else {
        model = {
          terms: new Map([...model.terms].filter(([key]) => !next.terms.has(key))),
          intercept: model.intercept,
        };
        if (next.intercept !== undefined) model.intercept = !next.intercept;
      }
      if (this.accept('+')) sign = '+';
      else if (this.accept('-')) sign = '-';
      else return model;
    }
  }

  private product(): FormulaModel {
    let left = this.interaction();
    for (;;) {
      const mark = this.accept('*') ? '*' : this.accept('/') ? '/' : undefined;
      if (!mark) return left;
      const right = this.interaction();
      const crossed = cross(mark === '/' ? { ...left, terms: allTogether(left) } : left, right);
      const terms = new Map([...left.terms, ...(mark === '*' ? right.terms : []), ...crossed.terms]);
      left = { terms, intercept: undefined };
    }
  }

  private interaction(): FormulaModel {
    let left = this.power();
    while (this.accept(':')) left = cross(left, this.power());
    return left;
  }

  private power(): FormulaModel {
    const opened = this.peek('(');
    const start = this.position;
    const base = this.atom();
    if (!this.accept('^')) return base;
    const exponent = this.tokens[this.position++];
    if (exponent?.kind !== 'number') throw this.unexpected(this.position - 1);
    const times = Number(exponent.text);
    if (!opened) {
      // R reads x^2 in a formula as x; a square is what people mean.
      const name = this.tokens[start];
      this.variables.splice(this.variables.length - (this.lastAdded ? 1 : 0), 1);
      return this.variable({
        kind: 'call',
        name: 'I',
        argument: {
          kind: 'operation',
          operator: '^',
          left: { kind: 'name', name: name.text },
          right: { kind: 'number', value: times },
        },
      });
    }
    if (!Number.isInteger(times) || times < 1) throw this.unexpected(this.position - 1);
    let model = base;
    for (let i = 1; i < times; i++)
      model = { terms: new Map([...model.terms, ...cross(model, base).terms]), intercept: undefined };
    return model;
  }

  private lastAdded = false;

  private atom(): FormulaModel {
    const token = this.tokens[this.position++];
    if (!token) throw this.unexpected();
    this.lastAdded = false;
    if (token.text === '(' && token.kind === 'mark') {
      const inner = this.sum();
      this.take(')');
      return inner;
    }
    if (token.kind === 'number') {
      if (token.text !== '0' && token.text !== '1') throw this.unexpected(this.position - 1);
      return { terms: new Map(), intercept: token.text === '1' };
    }
    if (token.kind !== 'name') throw this.unexpected(this.position - 1);
    if (token.text === '.') {
      const models = this.others.map((name) => this.variable({ kind: 'name', name }));
      return { terms: new Map(models.flatMap((model) => [...model.terms])), intercept: undefined };
    }
    if (this.peek('(')) {
      if (!functions.has(token.text)) {
        throw new UserError(
          `Unknown function '${token.text}' in --formula '${this.text}'; there is ${[...functions].join(', ')}`,
        );
      }
      this.position++;
      const argument = this.arithmetic();
      this.take(')');
      if (token.text === 'offset') {
        this.offsets.push(argument);
        return { terms: new Map(), intercept: undefined };
      }
      if (token.text === 'factor') return this.variable(argument, true);
      return this.variable({ kind: 'call', name: token.text, argument });
    }
    return this.variable({ kind: 'name', name: token.text });
  }

  private variable(expression: Expression, factor = false): FormulaModel {
    const label = expressionText(expression);
    let index = this.variables.findIndex((variable) => variable.label === label);
    if (index < 0) {
      index = this.variables.push({ label, expression, factor }) - 1;
      this.lastAdded = true;
    }
    return { terms: new Map([[String(index), [index]]]), intercept: undefined };
  }

  private arithmetic(): Expression {
    let left = this.scaled();
    for (;;) {
      const operator = this.accept('+') ? '+' : this.accept('-') ? '-' : undefined;
      if (!operator) return left;
      left = { kind: 'operation', operator, left, right: this.scaled() };
    }
  }

  private scaled(): Expression {
    let left = this.signed();
    for (;;) {
      const operator = this.accept('*') ? '*' : this.accept('/') ? '/' : undefined;
      if (!operator) return left;
      left = { kind: 'operation', operator, left, right: this.signed() };
    }
  }

  private signed(): Expression {
    if (this.accept('-'))
      return { kind: 'operation', operator: '-', left: { kind: 'number', value: 0 }, right: this.signed() };
    const base = this.operand();
    return this.accept('^') ? { kind: 'operation', operator: '^', left: base, right: this.signed() } : base;
  }

  private operand(): Expression {
    const token = this.tokens[this.position++];
    if (!token) throw this.unexpected();
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'mark') {
      if (token.text !== '(') throw this.unexpected(this.position - 1);
      const inner = this.arithmetic();
      this.take(')');
      return inner;
    }
    if (!this.peek('(')) return { kind: 'name', name: token.text };
    if (!functions.has(token.text)) throw this.unexpected(this.position - 1);
    this.position++;
    const argument = this.arithmetic();
    this.take(')');
    return { kind: 'call', name: token.text, argument };
  }

  private peek(text: string): boolean {
    return this.tokens[this.position]?.text === text;
  }

  private accept(mark: string): boolean {
    const token = this.tokens[this.position];
    if (token?.kind !== 'mark' || token.text !== mark) return false;
    this.position++;
    return true;
  }

  private take(mark: string): void {
    if (!this.accept(mark)) throw this.unexpected();
  }

  private unexpected(position = this.position): UserError {
    const token = this.tokens[position];
    const where = token ? `'${token.text}' at character ${token.at + 1}` : 'its end';
    return expected('a formula', '--formula', this.text, `did not expect ${where}`);
  }
}

function cross(left: FormulaModel, right: FormulaModel): FormulaModel {
  const terms = new Map<string, number[]>();
  for (const a of left.terms.values())
    for (const b of right.terms.values()) {
      const term = [...new Set([...a, ...b])].sort((x, y) => x - y);
      terms.set(term.join(':'), term);
    }
  return { terms, intercept: undefined };
}

/** `(a + b)/c` nests c in a:b. */
function allTogether(model: FormulaModel): Map<string, number[]> {
  const term = [...new Set([...model.terms.values()].flat())].sort((x, y) => x - y);
  return new Map([[term.join(':'), term]]);
}
