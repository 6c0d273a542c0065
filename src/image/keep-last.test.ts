import { expect, it } from 'vitest';
import { keepLast } from './keep-last.ts';

it('makes what it was asked for last once, each for its own question', () => {
  const made: string[] = [];
  const pair = keepLast(2, (...asked: readonly [a: string, b: number]) => {
    made.push(asked.join(' '));
    return asked.join(' ');
  });
  const answers = (['a', 'a', 'b', 'a', 'c', 'b', 'a'] as const).map((name) => pair(name, 1));
  expect(answers).toEqual(['a 1', 'a 1', 'b 1', 'a 1', 'c 1', 'b 1', 'a 1']);
  // The third pushes out the first, not the second.
  expect(made).toEqual(['a 1', 'b 1', 'c 1', 'a 1']);
  expect(pair('a', 2)).toBe('a 2');
});
