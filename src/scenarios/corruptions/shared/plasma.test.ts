import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../stats/random.ts';
import { plasmaClouds } from './plasma.ts';

describe('plasmaClouds', () => {
  const uniform = (seed: number) => randomFor(seed, 'clouds').uniform;

  it('takes bounded memory for a long strip, and stays cloudy', () => {
    let drawn = 0;
    const counted = () => {
      // One draw for every point of the map: this many and no more are ever kept.
      drawn++;
      return ((drawn * 7919) % 1000) / 1000;
    };
    const clouds = plasmaClouds(20_000, 1, 2, counted);
    expect(drawn).toBeLessThan(4096 * 4096);
    const levels = Float64Array.from({ length: 20_000 }, (_, x) => clouds(x, 0));
    expect(levels.every((level) => level >= 0 && level <= 1)).toBe(true);
    expect(new Set(levels).size).toBeGreaterThan(1000);
    // Neighbours lie on one slope between two points of the map.
    const steps = levels.subarray(1).map((level, i) => Math.abs(level - levels[i]));
    expect(steps.reduce((most, step) => Math.max(most, step))).toBeLessThan(0.2);
  });

  it('is the same for the same draws, and another for others', () => {
    const at = (seed: number) => [3, 9, 17].map((x) => plasmaClouds(30, 20, 1.6, uniform(seed))(x, 5));
    expect(at(1)).toEqual(at(1));
    expect(at(1)).not.toEqual(at(2));
  });
});
