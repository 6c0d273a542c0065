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
