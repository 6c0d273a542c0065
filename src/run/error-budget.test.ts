import { describe, expect, it } from 'vitest';
import { createErrorBudget } from './error-budget.ts';

const unreadable = { sample: 'a', file: 'a.jpg', problem: 'truncated', message: 'a.jpg is cut off' } as const;

describe('error budget', () => {
  it('tells once what two parts of a sample say, and each thing that differs', () => {
    const budget = createErrorBudget(4, 0.5);
    budget.add([unreadable]);
    budget.add([unreadable, { ...unreadable, scenario: 'grey' }]);
    expect(budget.lines).toEqual([unreadable, { ...unreadable, scenario: 'grey' }]);
  });

  it('counts samples, not lines', () => {
    const budget = createErrorBudget(4, 0.25);
    budget.add([unreadable, { ...unreadable, scenario: 'grey' }]);
    expect(() => budget.add([{ ...unreadable, sample: 'b' }])).toThrow('2 of 4 samples failed');
  });
});
