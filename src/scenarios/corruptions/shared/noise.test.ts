import { describe, expect, it } from 'vitest';
import { chiSquaredSurvival } from '../../../stats/chi-squared.ts';
import { normalCdf } from '../../../stats/normal.ts';
import { randomFor } from '../../../stats/random.ts';
import { normals, uniforms } from './noise.ts';

const draws = 400_000;

/** Pearson's test over cells of a tenth from −3.6 to 3.6, and what lies beyond. */
function pearson(values: Float64Array): number {
  const edges = Array.from({ length: 73 }, (_, i) => (i - 36) / 10);
  const counts = new Uint32Array(74);
  for (const value of values) counts[Math.min(73, Math.max(0, Math.floor(value * 10) + 37))]++;
  const statistic = counts.reduce((sum, count, i) => {
    const low = i === 0 ? 0 : normalCdf(edges[i - 1]);
    const high = i === 73 ? 1 : normalCdf(edges[i]);
    const expected = values.length * (high - low);
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return chiSquaredSurvival(statistic, 73);
}

describe('normals', () => {
  const values = normals(randomFor('normals'), draws);

  it('are standard normal, tails and all', () => {
    const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / draws;
    // Four standard errors of each: Var(zᵏ) is 1, 2, 15 and 96 for k = 1 to 4.
    expect(Math.abs(moment(1))).toBeLessThan(4 * Math.sqrt(1 / draws));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / draws));
    expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / draws));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / draws));
    expect(pearson(values)).toBeGreaterThan(1e-4);
    const beyond = values.filter((value) => Math.abs(value) > 3.442619855899).length;
    const expected = draws * 2 * normalCdf(-3.442619855899);
    expect(Math.abs(beyond - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });

  it('would be told from a slightly wider normal', () => {
    expect(pearson(values.map((value) => value * 1.02))).toBeLessThan(1e-10);
  });

  it('do not depend on one another', () => {
    let sum = 0;
    let squares = 0;
    for (let i = 1; i < draws; i++) {
      sum += values[i] * values[i - 1];
      squares += (values[i] ** 2 - 1) * (values[i - 1] ** 2 - 1);
    }
    expect(Math.abs(sum)).toBeLessThan(4 * Math.sqrt(draws));
    expect(Math.abs(squares)).toBeLessThan(4 * Math.sqrt(4 * draws));
  });
});

it('uniforms come one after the other', () => {
  const [one, other] = [randomFor(1), randomFor(1)];
  expect([...uniforms(one, 3)]).toEqual([other.uniform(), other.uniform(), other.uniform()]);
});
