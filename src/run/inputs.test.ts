import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { threadsFrom } from './inputs.ts';

describe('--threads', () => {
  it('is what was given, else all cores', () => {
    expect(threadsFrom(undefined)).toBe(availableParallelism());
    expect(threadsFrom(1)).toBe(1);
    expect(threadsFrom(256)).toBe(256);
  });

  it.each([0, -1, 2.5, 257, 300, Number.NaN])('refuses %s by name', (given) => {
    expect(() => threadsFrom(given)).toThrow(/^Expected a whole number from 1 to 256 for --threads but received /);
  });
});
