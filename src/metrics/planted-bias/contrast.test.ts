import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.ts';

const x = [1, 0, 1, 1, 0, 2, 1, 0, 1, 3];
const y = [0, 1, 0, 0, 2, 0, 1];
const one = (images: readonly unknown[]) => images.map(() => 'one');

describe('contrast', () => {
  // R 4.2.2: t.test(x) and t.test(x, y).
  it('of one seed is the t interval', () => {
    const { ci, df } = contrast({ values: [x], families: ['a'], strata: one(x) });
    expect(ci[0]).toBeCloseTo(0.325555041093, 11);
    expect(ci[1]).toBeCloseTo(1.674444958907, 11);
    expect(df).toBeCloseTo(9, 11);
  });

  it("of one seed and two halves is Welch's", () => {
    const against = [...x.map(() => false), ...y.map(() => true)];
    const { estimate, ci, df } = contrast({ values: [[...x, ...y]], families: ['a'], strata: one(against), against });
    expect(estimate).toBeCloseTo(0.428571428571, 11);
    expect(ci[0]).toBeCloseTo(-0.472164507935, 11);
    expect(ci[1]).toBeCloseTo(1.329307365077, 11);
    expect(df).toBeCloseTo(14.414652160476, 10);
  });

  it('counts the spread of seeds within a network, not the difference of networks', () => {
    const values = [
      [1, 0, 1, 0, 1, 1],
      [0, 0, 1, 1, 1, 0],
      [1, 1, 1, 1, 1, 0],
      [0, 1, 0, 1, 1, 1],
    ];
    // R: a <- var(colMeans(v))/6; b <- mean(within variances)/4; Satterthwaite by hand.
    const { estimate, ci, df, each } = contrast({ values, families: ['a', 'a', 'b', 'b'], strata: one(values[0]) });
    expect(estimate).toBeCloseTo(0.666666666667, 11);
    expect(ci[0]).toBeCloseTo(0.424783553041, 11);
    expect(df).toBeCloseTo(6.923076923077, 10);
    expect(each).toEqual([4 / 6, 0.5, 5 / 6, 4 / 6].map((v) => expect.closeTo(v, 12)));
  });

  it('does not count what differs between strata', () => {
    // Two strata of 10 and 7: (10/17)² var(x)/10 + (7/17)² var(y)/7 in R.
    const strata = [...x.map(() => 'x'), ...y.map(() => 'y')];
    const moved = y.map((value) => value + 100);
    const near = contrast({ values: [[...x, ...y]], families: ['a'], strata });
    const far = contrast({ values: [[...x, ...moved]], families: ['a'], strata });
    expect(near.ci[1] - near.ci[0]).toBeCloseTo(0.913549694221, 11);
    expect(far.ci[1] - far.ci[0]).toBeCloseTo(near.ci[1] - near.ci[0], 11);
  });

  it('puts strata of one image together: what one image says of others is not known', () => {
    const values = [[...x, 2, 0, 1]];
    const single = contrast({ values, families: ['a'], strata: [...x.map(() => 'x'), 'p', 'q', 'r'] });
    const pooled = contrast({ values, families: ['a'], strata: [...x.map(() => 'x'), 'pqr', 'pqr', 'pqr'] });
    expect(single).toEqual(pooled);
    // SciPy 1.17.1: (10/13)² var(x)/10 + (3/13)² var([2, 0, 1])/3, Satterthwaite, stats.t.ppf.
    expect(single.ci[1] - single.ci[0]).toBeCloseTo(1.172326571664, 11);
    // One alone goes with the smallest other.
    const strata = [...x.map(() => 'x'), ...y.map(() => 'y'), 'alone'];
    const beside = contrast({ values: [[...x, ...y, 5]], families: ['a'], strata });
    const merged = contrast({ values: [[...x, ...y, 5]], families: ['a'], strata: strata.with(-1, 'y') });
    expect(beside).toEqual(merged);
  });

  it('of a half of one image has no bounds', () => {
    const values = [[...x, 1]];
    const against = [...x.map(() => false), true];
    expect(contrast({ values, families: ['a'], strata: one(against), against })).toMatchObject({
      estimate: 0,
      ci: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    });
  });

  it('of values that never differ has no width', () => {
    expect(contrast({ values: [[1, 1, 1]], families: ['a'], strata: one([1, 1, 1]) }).ci).toEqual([1, 1]);
  });
});
