import { describe, expect, it } from 'vitest';
import { logSumExp, softmax, softmaxOf } from './softmax.ts';

// scipy.special 1.10.1: softmax([1, 2, 3, -700]), logsumexp of them and of [1, 3].
describe('softmax', () => {
  const scores = Float64Array.of(1, 2, 3, -700);
  const expected = [0.09003057317038046, 0.24472847105479764, 0.6652409557748218];

  it("is SciPy's", () => {
    const found = softmax(scores);
    for (const i of [0, 1, 2]) expect(found[i]).toBeCloseTo(expected[i], 15);
    expect(softmaxOf(scores)(2)).toBe(found[2]);
    expect(logSumExp(scores)).toBeCloseTo(3.4076059644443806, 14);
    expect(logSumExp(scores, [0, 2])).toBeCloseTo(3.1269280110429727, 14);
  });

  it('does not overflow', () => expect(softmax([1e4, 1e4])).toEqual([0.5, 0.5]));
});
