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
};

/** Where a value is one of several kinds and has the outside of one, what is wrong inside: a field, not the whole. */
export function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const isInside = ({ path, code }: Issue) => path.length > 0 || code === 'unrecognized_keys';
  const branch = issue.errors.find((errors) => errors.length > 0 && errors.every(isInside));
  return branch ? innermost({ ...branch[0], path: [...issue.path, ...branch[0].path] }) : issue;
}

/** What a schema wanted, in words that can follow "Expected": the one place that knows zod's. */
export function expectationOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? `a value of kind ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum));
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum));
    case 'invalid_union': {
      const wanted = issue.errors.flatMap((branch) => branch.filter(({ path }) => !path.length).map(expectationOf));
      return [...new Set(wanted)].join(' or ') || 'another form, as the documentation shows';
    }
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}

function limit(origin: string, words: string, value: number): string {
  if (origin === 'string')
    return value === 1 && words === 'at least' ? 'a text that is not empty' : `a text of ${words} ${value} characters`;
  if (origin === 'array' || origin === 'set') return `a list of ${words} ${value} entries`;
  return `${origin === 'int' ? 'a whole number' : 'a number'} of ${words} ${value}`
    .replace('of more than', 'above')
    .replace('of less than', 'below');
}
