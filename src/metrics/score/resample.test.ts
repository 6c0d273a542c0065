import { describe, expect, it } from 'vitest';
import { randomFor } from '../../stats/random.ts';
import { drawResamples, resampledAccuracies } from './resample.ts';

describe('resampledAccuracies', () => {
  // Cells share numbers by their bits: one cluster, the last size of a bit and the first of the next, more cells than share.
  it.each([
    [1, 3],
    [3, 30],
    [7, 60],
    [255, 8],
    [256, 8],
    [3000, 5],
  ])('of %i clusters with one answer in each of %i cells are plain shares', (clusters, cells) => {
    const random = randomFor('answers');
    const draws = drawResamples(clusters, { random, replicates: 20 });
    const right = Float32Array.from({ length: clusters * cells }, () => random.integer(0, 1));
    const count = new Float32Array(right.length).fill(1);
    const expected = Array.from({ length: 20 * cells }, (_, i) => {
      const [b, c] = [Math.floor(i / cells), i % cells];
      let sum = 0;
      for (let g = 0; g < clusters; g++) sum += draws.counts[b * clusters + g] * right[g * cells + c];
      return sum / clusters;
    });
    expect([...resampledAccuracies(draws, { clusters, cells, right, count })]).toEqual(expected);
  });

  it('of clusters with several answers, or none, are shares of the answers drawn', () => {
    const draws = { replicates: 2, clusters: 3, counts: Uint8Array.of(1, 2, 0, 0, 0, 3) };
    const sums = {
      clusters: 3,
      cells: 2,
      right: Float32Array.of(1, 0, 1, 1, 2, 0),
      count: Float32Array.of(2, 1, 1, 1, 2, 0),
    };
    expect([...resampledAccuracies(draws, sums)]).toEqual([3 / 4, 2 / 3, 1, Number.NaN]);
  });
});
