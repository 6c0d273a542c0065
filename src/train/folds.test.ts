import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { innerFolds, partitionBackgrounds, planFolds } from './folds.ts';

const sample = (i: number, more: Partial<Sample> = {}): Sample => ({
  id: `s${i}`,
  image: `/images/s${i}.jpg`,
  label: `class ${i % 3}`,
  ...more,
});

describe('planFolds', () => {
  it('keeps together what shares a group, a file or a photograph', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 14 })), {
          minLength: 12,
          maxLength: 40,
        }),
        fc.integer({ min: 2, max: 4 }),
        (pairs, folds) => {
          const samples = pairs.map(([group, file], i) =>
            sample(i, {
              ...(group < 5 && { group: `g${group}` }),
              image: file < 5 ? `/images/file${file}.jpg` : `/images/s${i}.jpg`,
            }),
          );
          const units = new Set(samples.map(({ group, image }) => group ?? image));
          fc.pre(units.size >= 3 * folds);
          const { foldOf, linkedTo } = planFolds({ samples, hashOf: (path) => path, folds, seed: 1 });
          const torn = samples.flatMap((a) =>
            samples.filter((b) => {
              const joined = a.image === b.image || (a.group !== undefined && a.group === b.group);
              const linked = joined || linkedTo.get(a.id) === linkedTo.get(b.id);
              return linked && foldOf.get(a.id) !== foldOf.get(b.id);
            }),
          );
          expect(torn).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not join edited images that happen to be the same file', () => {
    const samples = [0, 1, 2, 3].map((i) => sample(i, { scenario: 'segmented', image: '/black.png' }));
    const { foldOf } = planFolds({ samples, hashOf: () => 'black', folds: 2, seed: 0 });
    expect(new Set(foldOf.values()).size).toBe(2);
  });

  it('spreads every class over the folds', () => {
    const samples = Array.from({ length: 36 }, (_, i) => sample(i));
    const { foldOf, warnings } = planFolds({ samples, hashOf: (path) => path, folds: 4, seed: 3 });
    const counts = new Map<string, number>();
    for (const { id, label } of samples) {
      const key = `${label} ${foldOf.get(id)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(new Array(12).fill(3));
    expect(warnings).toEqual([]);
  });

  it('warns of a class with fewer photographs than folds, and refuses fewer photographs than folds', () => {
    const samples = Array.from({ length: 12 }, (_, i) => sample(i, { label: i < 2 ? 'rare' : 'common' }));
    const plan = (folds: number) => planFolds({ samples, hashOf: (path) => path, folds, seed: 0 });
    expect(plan(4).warnings.join()).toMatch(/one class has fewer .* than the 4 folds \(rare: 2\)/);
    expect(() => plan(20)).toThrow(/20 folds need at least 20 photographs/);
  });
});

describe('partitionBackgrounds', () => {
  it('gives every picture to one fold, twins to the same one, in any order of the list', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 6, max: 30 }),
        fc.integer(),
        (folds, count, seed) => {
          const files = Array.from({ length: count }, (_, i) => `/b/${i}.jpg`);
          // Every seventh picture is a copy of the one before it.
          const hashOf = (path: string) => {
            const i = Number(/(\d+)\.jpg/.exec(path)?.[1]);
            return String(i % 7 === 6 ? i - 1 : i);
          };
          const parts = partitionBackgrounds(files, { folds, seed, hashOf });
          expect(parts.flat().sort()).toEqual([...files].sort());
          const foldOf = new Map(parts.flatMap((part, fold) => part.map((file) => [file, fold] as const)));
          const torn = files.filter((a) =>
            files.some((b) => hashOf(a) === hashOf(b) && foldOf.get(a) !== foldOf.get(b)),
          );
          expect(torn).toEqual([]);
          expect(parts.every((part) => part.length > 0)).toBe(true);
          expect(partitionBackgrounds([...files].reverse(), { folds, seed, hashOf })).toEqual(parts);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('refuses fewer different pictures than folds', () => {
    expect(() =>
      partitionBackgrounds(['/a', '/b', '/c'], { folds: 3, seed: 0, hashOf: (path) => (path === '/c' ? '/b' : path) }),
    ).toThrow(/3 folds need at least 3 different backgrounds.*has 2/);
  });
});

it('chooses the strength on whole folds other than the one held out', () => {
  expect(innerFolds(3, 4)).toEqual([0]);
  expect(innerFolds(11, 12)).toEqual([0, 1]);
  expect(innerFolds(0, 2)).toEqual([]);
  expect(innerFolds(-1, 12)).toEqual([0, 1]);
  for (let held = 0; held < 12; held++) expect(innerFolds(held, 12)).not.toContain(held);
});
