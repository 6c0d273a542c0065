import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'fields (name: value)',
  record: 'fields (name: value)',
  tuple: 'a list',
  null: 'null',
};

/** The issue to tell of several. A name that is not known comes first: it is why the field that it stands for is missing. */
export const foremost = (issues: readonly Issue[]): Issue => innermost(issues.find(isUnknownName) ?? issues[0]);

const isUnknownName = ({ code }: Issue) => code === 'unrecognized_keys';

/** Where a value is one of several kinds and has the outside of one, what is wrong inside: a field, not the whole. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const isInside = (inner: Issue) => inner.path.length > 0 || isUnknownName(inner);
  const branches = issue.errors.filter((errors) => errors.length > 0 && errors.every(isInside));
  if (!branches.length) return issue;
  // Of several kinds with fields the one that is meant has the fewest slips.
  const meant = branches.reduce((best, branch) => (slips(branch) < slips(best) ? branch : best));
  const inner = foremost(meant);
  return { ...inner, path: [...issue.path, ...inner.path] };
}

const slips = (issues: readonly Issue[]) =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

/** What a schema wanted, in words that can follow "Expected": the one place that knows zod's. */
export function expectationOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? `a value of kind ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum));
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum));
    case 'invalid_union': {
      const wanted = issue.errors.flatMap((branch) => branch.filter(({ path }) => !path.length).slice(0, 1));
      return [...new Set(wanted.map(expectationOf))].join(' or ') || 'another form, as the documentation shows';
    }
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}

function limit(origin: string, words: string, value: number): string {
  const kind = origin === 'string' ? 'a text' : origin === 'array' || origin === 'set' ? 'a list' : undefined;
  if (kind && value === 1 && words === 'at least') return `${kind} that is not empty`;
  if (kind) return `${kind} of ${words} ${value} ${kind === 'a text' ? 'characters' : 'entries'}`;
  return `${origin === 'int' ? 'a whole number' : 'a number'} of ${words} ${value}`
    .replace('of more than', 'above')
    .replace('of less than', 'below');
}
