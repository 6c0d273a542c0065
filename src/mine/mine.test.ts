import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomFor } from '../stats/random.ts';
import { auditHardSet } from './bias-audit.ts';
import { errorConsistency } from './error-consistency.ts';
import { freshSeed } from './fresh-seed.ts';
import { chooseHardSet } from './hard-set.ts';
import { onlyModels, type PicturePool, type PoolAnswer, toPool } from './pool.ts';
import { sharedFailures } from './shared-failures.ts';
import { choose, subsets } from './subsets.ts';
import { surrogateCurve } from './surrogate-curve.ts';
import { measureTransfer } from './transfer.ts';

/** Pictures whose difficulty the models share to a known degree: each fails with `share` of the picture's own chance. */
function drawPool({ items = 800, models = 5, share = 1, seeds = [1], spread = 1 } = {}): PicturePool {
  const random = randomFor('pool', items, models, share, seeds.length, spread);
  const answers: PoolAnswer[] = [];
  for (let i = 0; i < items; i++) {
    const difficulty = random.uniform() ** 2 * spread;
    for (const seed of seeds)
      for (let m = 0; m < models; m++)
        answers.push({
          model: `m${m}`,
          sample: `${i}-${seed}`,
          scenario: 'original',
          label: `c${i % 4}`,
          nuisance: i % 2 ? 'street' : 'coast',
          group: String(i),
          seed,
          correct: random.uniform() >= (share ? difficulty * share : 0.3),
        });
  }
  return toPool(answers).pool;
}
const surrogates = ['m0', 'm1', 'm2'];
const targets = ['m3', 'm4'];

describe('the hard set', () => {
  const pool = drawPool();

  it('is the pictures that all surrogates fail, or k of them', () => {
    const { chosen } = chooseHardSet(pool, { surrogates, targets, random: randomFor(1) });
    const all = sharedFailures(onlyModels(pool, surrogates));
    expect(chosen).toEqual([...all.keys()].filter((i) => all[i]));
    const two = chooseHardSet(pool, { surrogates, targets, atLeast: 2, random: randomFor(1) });
    expect(two.chosen.length).toBeGreaterThan(chosen.length);
  });

  it('does not change when the answers of the targets do: they have no part in the choice', () => {
    const turned: PicturePool = {
      ...pool,
      wrong: pool.wrong.map((wrong, m) => (m >= 3 ? wrong.map((value) => 1 - value) : wrong)),
    };
    const options = { surrogates, targets, perClass: 20, perNuisance: 30 };
    expect(chooseHardSet(turned, { ...options, random: randomFor(2) })).toEqual(
      chooseHardSet(pool, { ...options, random: randomFor(2) }),
    );
    expect(() => chooseHardSet(pool, { surrogates, targets: ['m0'], random: randomFor(1) })).toThrow(
      /held out of the choice/,
    );
  });

  it('keeps to its quotas, and says what they cost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 40 }), (perClass, perNuisance) => {
        const set = chooseHardSet(pool, { surrogates, targets, perClass, perNuisance, size: 60, random: randomFor(3) });
        const count = (word: 'label' | 'nuisance') => {
          const counts = new Map<string, number>();
          for (const i of set.chosen) counts.set(pool.items[i][word], (counts.get(pool.items[i][word]) ?? 0) + 1);
          return Math.max(...counts.values());
        };
        expect(count('label')).toBeLessThanOrEqual(perClass);
        expect(count('nuisance')).toBeLessThanOrEqual(perNuisance);
        expect(set.chosen.length).toBeLessThanOrEqual(60);
        const { leftOut } = set;
        expect(set.chosen.length + leftOut.perClass + leftOut.perNuisance + leftOut.size).toBe(set.candidates);
      }),
    );
  });
});

describe('transfer', () => {
  it('is found where the difficulty is shared', () => {
    const pool = drawPool();
    const hard = sharedFailures(onlyModels(pool, surrogates));
    for (const { fall, fallMatched, hard: on, random } of measureTransfer(pool, hard, targets, {
      random: randomFor(4),
    })) {
      expect(fall.ci[0]).toBeGreaterThan(0.2);
      expect(fallMatched.ci[0]).toBeGreaterThan(0.2);
      expect(fall.estimate).toBeCloseTo(random.estimate - on.estimate, 12);
    }
  });

  it('is not found where models fail by themselves', () => {
    const pool = drawPool({ share: 0 });
    const hard = sharedFailures(onlyModels(pool, surrogates));
    for (const { fall } of measureTransfer(pool, hard, targets, { random: randomFor(5) })) {
      expect(fall.ci[0]).toBeLessThan(0);
      expect(fall.ci[1]).toBeGreaterThan(0);
    }
  });

  it('a set matched on class and nuisance explains away what they alone decide', () => {
    // Everyone fails class c0 half the time and nothing else: hard pictures are c0, and no harder than other c0.
    const random = randomFor('matched');
    const answers = Array.from({ length: 1200 }, (_, i) =>
      ['m0', 'm1', 'm2', 'm3', 'm4'].map((model) => ({
        model,
        sample: String(i),
        scenario: 'original',
        label: `c${i % 4}`,
        nuisance: 'street',
        group: String(i),
        correct: i % 4 !== 0 || random.uniform() > 0.5,
      })),
    ).flat();
    const { pool } = toPool(answers);
    const hard = sharedFailures(onlyModels(pool, surrogates));
    for (const { fall, fallMatched } of measureTransfer(pool, hard, targets, { random: randomFor(6) })) {
      expect(fall.ci[0]).toBeGreaterThan(0.1);
      expect(fallMatched.ci[0]).toBeLessThan(0);
      expect(fallMatched.ci[1]).toBeGreaterThan(0);
    }
  });
});

describe('the curve over surrogates', () => {
  it('falls while difficulty is shared', () => {
    const { points } = surrogateCurve(drawPool(), surrogates, targets, { random: randomFor(7) });
    const accuracies = points.map(({ accuracy }) => accuracy.estimate);
    expect(accuracies).toEqual([...accuracies].sort((a, b) => b - a));
    expect(points[1].gain?.ci[0]).toBeGreaterThan(0);
  });

  it('is flat from the first where one surrogate says all', () => {
    const one = drawPool({ items: 2000 });
    const alike: PicturePool = {
      ...one,
      wrong: [one.wrong[0], one.wrong[0], one.wrong[0], one.wrong[3], one.wrong[4]],
    };
    expect(surrogateCurve(alike, surrogates, targets, { random: randomFor(8) }).flattensAt).toBe(1);
  });

  it('does not say that it flattens where it cannot know', () => {
    const few = drawPool({ items: 60 });
    expect(surrogateCurve(few, surrogates, targets, { random: randomFor(9) }).flattensAt).toBeNull();
    // Where no picture is failed by all, the curve ends before.
    const apart = {
      ...few,
      wrong: few.wrong.map((_, m) => Uint8Array.from(few.items, (__, i) => (i % 5 === m ? 1 : 0))),
    };
    const { points } = surrogateCurve(apart, surrogates, targets, { random: randomFor(9) });
    expect(points.map((point) => point.surrogates)).toEqual([1]);
    expect(points[0].accuracy.ci.every(Number.isFinite)).toBe(true);
  });

  it('takes all subsets where there are few, else different ones', () => {
    expect(choose(6, 3)).toBe(20);
    expect(subsets(6, 3, { most: 40, random: randomFor(1) })).toHaveLength(20);
    const drawn = subsets(12, 4, { most: 40, random: randomFor(1) });
    expect(new Set(drawn.map(String)).size).toBe(40);
  });
});

describe('a fresh seed', () => {
  it('luck of the draw vanishes on another seed', () => {
    const pool = drawPool({ share: 0, seeds: [1, 2] });
    const hard = sharedFailures(onlyModels(pool, ['m0'])).map((flag, i) => (pool.items[i].seed === 1 ? flag : 0));
    const [own] = freshSeed(pool, hard, ['m0'], { seed: 1, random: randomFor(10) });
    expect(own.ownSeed.estimate).toBeGreaterThan(0.5);
    expect(own.freshSeed.ci[0]).toBeLessThan(0);
    expect(own.selection.ci[0]).toBeGreaterThan(0.5);
  });

  it('what the prompt itself costs stays', () => {
    const pool = drawPool({ seeds: [1, 2], spread: 1 });
    const hard = sharedFailures(onlyModels(pool, surrogates)).map((flag, i) => (pool.items[i].seed === 1 ? flag : 0));
    for (const { freshSeed: fresh } of freshSeed(pool, hard, targets, { seed: 1, random: randomFor(11) }))
      expect(fresh.ci[0]).toBeGreaterThan(0.2);
  });

  it('one seed alone cannot tell, and says so', () => {
    const pool = drawPool({ items: 50 });
    expect(() => freshSeed(pool, new Uint8Array(50), ['m3'], { seed: 1, random: randomFor(1) })).toThrow(
      /generate the same prompts with another seed/,
    );
  });
});

describe('the audit', () => {
  it('finds a class that is hard more often, and none where none is', () => {
    const pool = drawPool();
    const uneven = Uint8Array.from(pool.items, ({ label }, i) => (label === 'c0' ? 1 : i % 9 === 0 ? 1 : 0));
    expect(auditHardSet(pool, uneven)[0]).toMatchObject({ by: 'class', value: 'c0', hard: 200, pool: 200, share: 1 });
    const random = randomFor('even');
    const even = Uint8Array.from(pool.items, () => (random.uniform() < 0.3 ? 1 : 0));
    expect(auditHardSet(pool, even).every(({ pCorrected }) => pCorrected > 0.05)).toBe(true);
  });

  it('error consistency: one for twins, near nought for strangers', () => {
    const strangers = drawPool({ share: 0, models: 2 });
    expect(Math.abs(errorConsistency(strangers)[0].kappa)).toBeLessThan(0.1);
    const twins = { ...strangers, wrong: [strangers.wrong[0], strangers.wrong[0]] };
    expect(errorConsistency(twins)[0].kappa).toBe(1);
  });
});
