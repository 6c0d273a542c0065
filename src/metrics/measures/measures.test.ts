import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Accuracies } from './accuracies.ts';
import { relativeForegroundSensitivity } from './foreground-sensitivity.ts';
import { challengeAccuracy } from './imagenet-9.ts';
import { agreementOf, measuresOf } from './index.ts';

const published = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/metrics/published-tables.json', import.meta.url), 'utf8'),
);
const table = (cells: Record<string, number>, n: Record<string, number> = {}): Accuracies =>
  new Map(Object.entries(cells).map(([scenario, accuracy]) => [scenario, { accuracy, n: n[scenario] ?? 1000 }]));

describe('ImageNet-E', () => {
  const { models, storedAggregatesResNet50: stored } = published.imagenetE;
  const measured = (name: string) => {
    const { original, drops } = models[name];
    const cells = Object.entries(drops as Record<string, number>).map(([column, drop]) => [
      column,
      (original - drop) / 100,
    ]);
    return measuresOf(table({ original: original / 100, ...Object.fromEntries(cells) })).imagenetE;
  };

  it.each(Object.keys(models))("gives %s's printed average", (name) => {
    expect(100 * (measured(name)?.average ?? 0)).toBeCloseTo(models[name].avgWithoutInver, 1);
    expect(Math.abs(100 * (measured(name)?.average ?? 0) - models[name].avgWithoutInver)).toBeLessThan(0.0101);
  });

  it("gives ResNet-50's group means as another group's plot prints them", () => {
    const groups = measured('RN50')?.groups ?? {};
    for (const group of ['background', 'size'] as const)
      expect(100 * (groups[group] ?? 0)).toBeCloseTo(stored[group], 2);
    expect(measured('RN50')?.missing).toEqual([]);
  });

  it('says what is missing and averages only where size, position and direction are there', () => {
    const part = measuresOf(table({ original: 0.9, 'size:0.05': 0.7 })).imagenetE;
    expect(part).toMatchObject({ average: null, drops: { '0.05': expect.closeTo(0.2, 12) } });
    expect(part?.missing).toContain('rp');
    expect(measuresOf(table({ original: 0.9, grey: 0.7 })).imagenetE).toBeNull();
  });
});

describe('ImageNet-D', () => {
  it('is not the mean of the three nuisances: as-published.test.ts has the published table', () => {
    const cells = { background: 0.528, texture: 0.401, material: 0.362 };
    const weights = { background: 3764, texture: 498, material: 573 };
    const { overall = 0, drop } = measuresOf(table(cells, weights)).imagenetD ?? {};
    expect(overall - (0.528 + 0.401 + 0.362) / 3).toBeGreaterThan(0.05);
    expect(drop).toBeNull();
  });
});

describe('ImageNet-9', () => {
  it.each(Object.entries(published.imagenet9.models as Record<string, number[]>))(
    'gives the background gap of %s',
    (_name, [original, same, rand, gap]) => {
      const found = measuresOf(
        table({ original: original / 100, mixed_same: same / 100, mixed_rand: rand / 100 }),
      ).imagenet9;
      expect(100 * (found?.backgroundGap ?? 0)).toBeCloseTo(gap, 8);
    },
  );

  it('counts an object only if no background flips it', () => {
    expect(challengeAccuracy([[true, true], [true, false], [true]])).toBeCloseTo(2 / 3, 12);
  });
});

describe('ImageNet-C', () => {
  const names = [
    'gaussian-noise',
    'shot-noise',
    'impulse-noise',
    'defocus-blur',
    'glass-blur',
    'motion-blur',
    'zoom-blur',
    'snow',
    'frost',
    'fog',
    'brightness',
    'contrast',
    'elastic',
    'pixelate',
    'jpeg',
  ];
  const alexnet = [
    0.886428, 0.894468, 0.92264, 0.81988, 0.826268, 0.785948, 0.79836, 0.866816, 0.826572, 0.819324, 0.564592, 0.853204,
    0.646056, 0.71784, 0.6065,
  ];
  const cells = (error: (i: number, severity: number) => number) =>
    Object.fromEntries(
      names.flatMap((name, i) => [1, 2, 3, 4, 5].map((severity) => [`${name}:${severity}`, 1 - error(i, severity)])),
    );

  it('is 1 for AlexNet itself', () => {
    const own = measuresOf(table({ original: 1 - 0.4348, ...cells((i, s) => alexnet[i] + 0.01 * (s - 3)) })).imagenetC;
    expect(own?.mce).toBeCloseTo(1, 12);
    expect(own?.relativeMce).toBeCloseTo(1, 12);
  });

  it('divides sums of errors, not each severity, and needs all fifteen for the mean', () => {
    const { 'jpeg:5': _left, ...rest } = cells((_, s) => s / 10);
    const found = measuresOf(table(rest)).imagenetC;
    expect(found?.ce.fog).toBeCloseTo(0.3 / 0.819324, 12);
    expect(found?.ce.jpeg).toBeUndefined();
    expect(found?.mce).toBeNull();
  });
});

describe('the others', () => {
  it('gives the error ratio of ImageNet-X', () => {
    const ratios = measuresOf(table({ original: 0.9, grey: 0.7 }, { original: 300, grey: 100 })).errorRatios;
    expect(ratios?.grey).toBeCloseTo(0.3 / 0.15, 12);
    expect(measuresOf(table({ original: 1 })).errorRatios).toBeNull();
  });

  it('gives the foreground sensitivity of Hard ImageNet', () => {
    expect(relativeForegroundSensitivity(0.8, 0.4)).toBeCloseTo(0.4 / 0.8, 12);
    expect(relativeForegroundSensitivity(0.3, 0.5)).toBeCloseTo(-0.2 / 0.8, 12);
    expect(relativeForegroundSensitivity(1, 1)).toBe(0);
    expect(relativeForegroundSensitivity(0, 0)).toBe(0);
    expect(relativeForegroundSensitivity(1, 0)).toBe(1);
  });

  it('compares the orders of the models, harm turned round', () => {
    const entry = (model: string, robustness: number, meanDrop: number) => ({
      model,
      robustness,
      meanDrop,
      measures: measuresOf(table({ original: 0.9 })),
    });
    const [found] = agreementOf([entry('a', 0.9, 0.1), entry('b', 0.8, 0.2), entry('c', 0.7, 0.3)]);
    expect(found).toMatchObject({
      a: 'robustness score',
      b: 'mean drop',
      models: 3,
      spearman: expect.closeTo(1, 12),
      kendall: expect.closeTo(1, 12),
    });
  });
});
