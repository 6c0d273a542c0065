import { describe, expect, it } from 'vitest';
import { demoSamples } from './dataset.ts';
import { environmentNames } from './environments.ts';
import { objectNames } from './objects.ts';

describe('demoSamples', () => {
  it('shows every object once in the usual environment of its class and once elsewhere', () => {
    for (const label of objectNames) {
      const own = demoSamples.filter((sample) => sample.label === label);
      const objects = new Set(own.map(({ object }) => object));
      expect(own).toHaveLength(2 * objects.size);
      for (const object of objects)
        expect(
          own
            .filter((sample) => sample.object === object)
            .map(({ usual }) => usual)
            .sort(),
        ).toEqual([false, true]);
    }
  });

  it('shows each class in every environment, and each environment usual for one class', () => {
    for (const label of objectNames) {
      const own = demoSamples.filter((sample) => sample.label === label);
      expect(new Set(own.map(({ environment }) => environment))).toEqual(new Set(environmentNames));
    }
    const usual = new Set(demoSamples.filter((sample) => sample.usual).map(({ environment }) => environment));
    expect(usual.size).toBe(environmentNames.length);
  });
});
