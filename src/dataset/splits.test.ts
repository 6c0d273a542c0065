import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignFolds, selectSamples } from './splits.ts';

const samplesOf = (entries: readonly { label: number; group?: number }[]) =>
  entries.map(({ label, group }, i) => ({
    id: `${i}.jpg`,
    label: `class ${label}`,
    ...(group !== undefined && { group: `g${group}` }),
  }));
const anySamples = fc
  .array(fc.record({ label: fc.nat(4), group: fc.option(fc.nat(6), { nil: undefined }) }), {
    minLength: 1,
    maxLength: 80,
  })
  .map(samplesOf);
const singles = fc.array(fc.record({ label: fc.nat(5) }), { minLength: 1, maxLength: 120 }).map(samplesOf);

describe('assignFolds', () => {
  it('gives every sample one fold, groups whole', () => {
    fc.assert(
      fc.property(anySamples, fc.integer({ min: 2, max: 7 }), fc.nat(), (samples, folds, seed) => {
        const foldOf = assignFolds(samples, { folds, seed });
        expect(foldOf.size).toBe(samples.length);
        const groups = new Map<string, Set<number>>();
        for (const { id, group } of samples) {
          const fold = foldOf.get(id) as number;
          expect(fold >= 0 && fold < folds && Number.isInteger(fold)).toBe(true);
          if (group) groups.set(group, (groups.get(group) ?? new Set()).add(fold));
        }
        for (const used of groups.values()) expect(used.size).toBe(1);
      }),
    );
  });
  it('spreads each class over the folds to within one, and all samples to within one per class', () => {
    fc.assert(
      fc.property(singles, fc.integer({ min: 2, max: 7 }), fc.nat(), (samples, folds, seed) => {
        const foldOf = assignFolds(samples, { folds, seed });
        for (const label of new Set(samples.map((sample) => sample.label))) {
          const counts = new Array<number>(folds).fill(0);
          for (const sample of samples) if (sample.label === label) counts[foldOf.get(sample.id) as number]++;
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
        const sizes = new Array<number>(folds).fill(0);
        for (const fold of foldOf.values()) sizes[fold]++;
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(
          new Set(samples.map((one) => one.label)).size,
        );
      }),
    );
  });
  it('does not depend on the order of the list, and does on the seed', () => {
    fc.assert(
      fc.property(anySamples, fc.nat(), (samples, seed) => {
        const options = { folds: 3, seed };
        const forward = assignFolds(samples, options);
        const backward = assignFolds([...samples].reverse(), options);
        for (const [id, fold] of forward) expect(backward.get(id)).toBe(fold);
      }),
    );
    const many = samplesOf(Array.from({ length: 60 }, (_, i) => ({ label: i % 3 })));
    const one = [...assignFolds(many, { folds: 4, seed: 1 }).entries()].sort();
    expect(one).not.toEqual([...assignFolds(many, { folds: 4, seed: 2 }).entries()].sort());
  });
  it('keeps the scenarios of one photograph together', () => {
    const samples = ['a', 'a', 'b', 'b', 'c', 'c'].map((id) => ({ id, label: 'x' }));
    expect(assignFolds(samples, { folds: 3 }).size).toBe(3);
  });
  it('balances classes among groups of several photographs', () => {
    const samples = Array.from({ length: 240 }, (_, i) => ({
      id: `${i}`,
      label: `${i % 4}`,
      group: `${Math.floor(i / 8)}`,
    }));
    const foldOf = assignFolds(samples, { folds: 5, seed: 3 });
    const counts = new Map<string, number>();
    for (const { id, label } of samples)
      counts.set(`${label} ${foldOf.get(id)}`, (counts.get(`${label} ${foldOf.get(id)}`) ?? 0) + 1);
    expect([...counts.values()].every((count) => count === 12)).toBe(true);
  });
});

describe('selectSamples', () => {
  it('takes so many of each class, so many in all, and keeps the order', () => {
    fc.assert(
      fc.property(
        singles,
        fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        fc.nat(),
        (samples, sample, limit, seed) => {
          const chosen = selectSamples(samples, { sample, limit, seed });
          const perClass = (list: typeof samples) => {
            const counts = new Map<string, number>();
            for (const { label } of list) counts.set(label, (counts.get(label) ?? 0) + 1);
            return counts;
          };
          const available = [...perClass(samples).values()].map((count) => Math.min(count, sample ?? count));
          const total = available.reduce((sum, count) => sum + count, 0);
          expect(chosen).toHaveLength(Math.min(total, limit ?? total));
          for (const count of perClass(chosen).values()) expect(count).toBeLessThanOrEqual(sample ?? count);
          expect(chosen).toEqual(samples.filter((one) => chosen.includes(one)));
        },
      ),
    );
  });
  it('nests, so that a larger limit adds to a smaller one', () => {
    fc.assert(
      fc.property(singles, fc.integer({ min: 1, max: 40 }), fc.nat(), (samples, limit, seed) => {
        const few = selectSamples(samples, { limit, seed });
        const more = selectSamples(samples, { limit: limit + 5, seed });
        for (const one of few) expect(more).toContain(one);
      }),
    );
  });
  it('does not depend on the order of the list', () => {
    const samples = samplesOf(Array.from({ length: 50 }, (_, i) => ({ label: i % 3 })));
    const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
    expect(ids(selectSamples(samples, { limit: 10, seed: 4 }))).toEqual(
      ids(selectSamples([...samples].reverse(), { limit: 10, seed: 4 })),
    );
  });
  it('counts photographs, not their scenarios', () => {
    const samples = ['a', 'b', 'c'].flatMap((id) => [
      { id, label: 'x' },
      { id, label: 'x' },
    ]);
    expect(selectSamples(samples, { limit: 2 })).toHaveLength(4);
  });
});
