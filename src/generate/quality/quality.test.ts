import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomFor } from '../../stats/random.ts';
import { clipScores } from './clip-score.ts';
import { diversity } from './diversity.ts';
import { toFeatures } from './features.ts';
import { frechetDistance } from './frechet-distance.ts';
import { kernelDistance } from './kernel-distance.ts';
import { neighbourhoods } from './neighbourhoods.ts';

interface Case {
  readonly a: number[][];
  readonly b: number[][];
  readonly fid: number;
  readonly fidSqrtm: number | null;
  readonly kid: number;
  readonly prdc: Record<string, number>;
  readonly spread: number;
  readonly meanDistance: number;
}
const { cases, clip } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/quality/quality.json', import.meta.url), 'utf8'),
) as { cases: Case[]; clip: { pictures: number[][]; prompts: number[][]; scores: number[] } };
it('CLIP scores, as NumPy', () => {
  const scores = clipScores(toFeatures(clip.pictures), toFeatures(clip.prompts));
  expect(clip.scores.filter((score) => score === 0).length).toBeGreaterThan(0);
  for (const [i, score] of clip.scores.entries()) expect(Math.abs(scores[i] - score)).toBeLessThan(1e-6);
  expect(() => clipScores(toFeatures(clip.pictures), toFeatures(clip.prompts.slice(1)))).toThrow(/12 prompts/);
});

const close = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));

describe.each(cases.map((reference, i) => ({ i, reference })))(
  'features of case $i, as NumPy and SciPy',
  ({ reference }) => {
    const [a, b] = [toFeatures(reference.a), toFeatures(reference.b)];

    it('Fréchet distance', () => {
      // Where there are fewer pictures than features NumPy's eigenvalues of the product keep only half their digits.
      expect(Math.abs(frechetDistance(a, b) - reference.fid)).toBeLessThan(reference.fidSqrtm === null ? 1e-4 : 1e-9);
      expect(close(frechetDistance(a, b), frechetDistance(b, a))).toBe(true);
    });

    it('kernel distance', () => {
      const { estimate, ci } = kernelDistance(a, b, { random: randomFor('kid') });
      expect(close(estimate, reference.kid)).toBe(true);
      expect(ci[0]).toBeLessThan(estimate);
      expect(ci[1]).toBeGreaterThan(estimate);
    });

    it('precision, recall, density, coverage', () => {
      const measured = neighbourhoods(a, b, { k: 3 });
      for (const [name, value] of Object.entries(reference.prdc))
        expect(measured[name as keyof typeof measured]).toBeCloseTo(value, 12);
    });

    it('spread', () => {
      expect(close(diversity(a).spread, reference.spread)).toBe(true);
      expect(close(diversity(a).meanDistance, reference.meanDistance)).toBe(true);
    });
  },
);

describe('what must hold', () => {
  it('a set has no distance to itself, and a far one is neither precise nor covering', () => {
    const a = toFeatures(cases[0].a);
    const far = { ...a, data: a.data.map((value) => value + 100) };
    expect(frechetDistance(a, a)).toBeLessThan(1e-9);
    expect(frechetDistance(a, far)).toBeCloseTo(100 ** 2 * a.dims, 6);
    expect(neighbourhoods(a, far, { k: 3 })).toEqual({ precision: 0, recall: 0, density: 0, coverage: 0 });
  });

  it('the interval of the kernel distance covers the truth of two sets of one kind about as often as it says', () => {
    const random = randomFor('coverage');
    const draw = () => toFeatures(Array.from({ length: 40 }, () => Array.from({ length: 4 }, () => random.normal())));
    let covered = 0;
    for (let i = 0; i < 100; i++) {
      const { ci } = kernelDistance(draw(), draw(), { random, draws: 100 });
      if (ci[0] <= 0 && ci[1] >= 0) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(90);
  });

  it('refuses neighbourhoods larger than the set', () => {
    const few = toFeatures([[1], [2], [3]]);
    expect(() => neighbourhoods(few, few)).toThrow(/more than 5 pictures/);
  });
});
