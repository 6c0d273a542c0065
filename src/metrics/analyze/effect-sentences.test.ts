import { describe, expect, it } from 'vitest';
import { withoutRounding } from './effect-sentences.ts';

describe('withoutRounding', () => {
  const term = {
    term: 'a[x]',
    estimate: 2.5e-31,
    se: 0.1,
    statistic: 2.5e-30,
    p: 1,
    stars: 'ns' as const,
    ci: [-0.2, 0.2] as [number, number],
  };

  it('shows rounding as zero, beside its standard error', () => {
    expect(withoutRounding(term)).toMatchObject({ estimate: 0, statistic: 0, se: 0.1 });
  });

  it('leaves small numbers that are small in earnest', () => {
    const small = { ...term, estimate: 2.5e-20, se: 1e-20, statistic: 2.5 };
    expect(withoutRounding(small)).toEqual(small);
  });
});
