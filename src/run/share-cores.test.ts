import { expect, it } from 'vitest';
import { tasksAhead } from './share-cores.ts';

it('has threads hold several tasks where there are many, and leaves the last ones to whichever is free', () => {
  expect(tasksAhead(20, 2)).toBe(3);
  expect(tasksAhead(12, 2)).toBe(2);
  expect(tasksAhead(12, 12)).toBe(1);
  expect(tasksAhead(40, 16)).toBe(1);
  expect(tasksAhead(1, 1)).toBe(1);
  expect(tasksAhead(10_000, 16)).toBe(3);
});
