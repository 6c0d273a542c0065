import { describe, expect, it } from 'vitest';
import type { SaliencyRow } from '../contracts/saliency.ts';
import { randomFor } from '../stats/random.ts';
import { failureModes } from './failure-modes.ts';
import type { PicturePool, PoolItem } from './pool.ts';

const models = ['a', 'b', 'c'];
const kinds = ['background: beach', 'background: snow', 'texture: striped', 'texture: chequered'];

/** 240 prompts with two seeds; `chance` of a wrong answer and the answer are the test's. */
function makePool(seed: string, chance: (item: PoolItem) => number, answer = (_: PoolItem) => 'something else') {
  const random = randomFor('failure modes', seed);
  const items = Array.from({ length: 480 }, (_, i): PoolItem => {
    const prompt = Math.floor(i / 2);
    const detail = kinds[prompt % 4];
    const label = ['mug', 'vase', 'teapot'][Math.floor(prompt / 4) % 3];
    const nuisance = detail.split(':')[0];
    return {
      sample: `${i}.png`,
      scenario: 'original',
      label,
      nuisance,
      detail,
      group: `p${prompt}`,
      seed: 1 + (i % 2),
    };
  });
  const wrong = models.map(() => Uint8Array.from(items, (item) => (random.uniform() < chance(item) ? 1 : 0)));
  const pool: PicturePool = { items, models, wrong };
  const predictions = new Map(
    models.map((model, m) => [model, items.map((item, i) => (wrong[m][i] ? answer(item) : item.label))]),
  );
  return { pool, predictions, random };
}

describe('failure modes', () => {
  it('name the nuisance that is harder, and not those that are not', () => {
    const { pool, predictions } = makePool('nuisance', ({ detail }) => (detail === 'texture: striped' ? 0.6 : 0.2));
    const found = failureModes(pool, { predictions }).filter(({ pCorrected }) => pCorrected < 0.05);
    expect(found[0]).toMatchObject({ by: 'nuisance', value: 'texture: striped', pictures: 120, shares: [] });
    expect(found[0].ratio).toBeGreaterThan(2);
    expect(found[0].ci?.[0]).toBeGreaterThan(1.5);
    expect(found[0].examples).toHaveLength(48);
    expect(found.map(({ by, value }) => `${by} ${value}`).sort()).toEqual([
      'kind texture',
      'nuisance texture: striped',
    ]);
  });

  it('name the class that is taken for another, where others are not', () => {
    const { pool, predictions } = makePool(
      'confusion',
      () => 0.25,
      ({ label }) => (label === 'mug' ? 'teapot' : label === 'vase' ? 'bottle' : 'cup'),
    );
    const found = failureModes(pool, { predictions }).filter(({ pCorrected }) => pCorrected < 0.001);
    expect(found.map(({ value }) => value).sort()).toEqual([
      'mug called teapot',
      'teapot called cup',
      'vase called bottle',
    ]);
    expect(found.every(({ ratio }) => ratio === null)).toBe(true);
  });

  it('name wnids by their words', () => {
    const wnids: Record<string, string> = { mug: 'n03063599', vase: 'n04522168', teapot: 'n04398044' };
    const wrongWord = (label: string) => (label === wnids.mug ? wnids.teapot : wnids.mug);
    const { pool } = makePool('wnids', ({ label }) => (label === 'mug' ? 0.7 : 0.1));
    const items = pool.items.map((item) => ({ ...item, label: wnids[item.label] }));
    const answers = models.map((model, m): [string, string[]] => [
      model,
      items.map(({ label }, i) => (pool.wrong[m][i] ? wrongWord(label) : label)),
    ]);
    const clusters = items.map(({ label }) => (label === wnids.mug ? 1 : 0));
    const found = failureModes({ ...pool, items }, { predictions: new Map(answers), clusters });
    expect(found.map(({ by, value }) => `${by} ${value}`)).toEqual(
      expect.arrayContaining(['class coffee mug', 'confusion coffee mug called teapot']),
    );
    expect(found.find(({ by }) => by === 'cluster')?.shares).toEqual([{ value: 'coffee mug', share: 1 }]);
    expect(JSON.stringify(found)).not.toContain('n0');
  });

  it('claim little where there is nothing: corrected for all that is looked at', () => {
    const random = randomFor('random answers');
    const claims = Array.from({ length: 60 }, (_, k) => {
      const { pool, predictions } = makePool(
        `null ${k}`,
        () => 0.3,
        ({ label }) => random.pick(['mug', 'vase', 'teapot', 'cup', 'bottle', 'jar'].filter((name) => name !== label)),
      );
      return failureModes(pool, { predictions }).filter(({ pCorrected }) => pCorrected < 0.05).length;
    });
    // One set of pictures in twenty may show something; uncorrected, nearly every one would.
    expect(claims.filter(Boolean).length).toBeLessThan(10);
  });

  it('name a cluster by what its pictures share', () => {
    const { pool, predictions } = makePool('cluster', ({ label }) => (label === 'vase' ? 0.7 : 0.2));
    const clusters = pool.items.map(({ label }) => (label === 'vase' ? 2 : label === 'mug' ? 1 : 0));
    const mode = failureModes(pool, { predictions, clusters }).find(({ by }) => by === 'cluster');
    expect(mode).toMatchObject({ value: '3', shares: [{ value: 'vase', share: 1 }] });
  });

  it('say that looking off the object goes with being wrong, and leave out what has no mask', () => {
    const { pool, predictions, random } = makePool('saliency', () => 0.3);
    const saliency = pool.items.flatMap(({ sample, scenario, label, group }, i) =>
      models.map((model, m) => {
        const correct = !pool.wrong[m][i];
        const reliance = i % 10 === 0 ? Number.NaN : correct ? 0.5 * random.uniform() : 0.3 + 0.7 * random.uniform();
        return { model, sample, scenario, label, group, correct, reliance, pointing: 1 } as SaliencyRow;
      }),
    );
    const found = failureModes(pool, { predictions, saliency }).filter(({ by }) => by === 'saliency');
    expect(found).toMatchObject([{ value: 'mostly off the object' }]);
    expect(found[0].pCorrected).toBeLessThan(0.001);
    expect(found[0].examples.every(({ sample }) => Number(sample.split('.')[0]) % 10 > 0)).toBe(true);
  });
});
