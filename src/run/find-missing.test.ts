import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMissing } from './find-missing.ts';
import { openRunStore, type RunStore } from './folder/index.ts';
import type { Plan } from './plan.ts';

const stored = (condition: string, sample: string, over: Record<string, string> = {}) => ({
  ...{ model: 'm', trained: '', scenario: condition, sample, group: '', label: 'cat', fold: -1, prediction: 'dog' },
  ...{ probability: 0.25, probabilityTruth: 0.125, rankTruth: 3, correct: false, correctOwn: true },
  ...{ condition, sampleHash: `hash of ${sample}`, ...over },
});

const planned = (id: string, scenario?: string) => ({ sample: { id, scenario }, sampleHash: `hash of ${id}` });

/** Photographs a, b and c under two conditions; d shows `rain` already. */
const plan = {
  plannedSamples: [planned('a'), planned('b'), planned("c's"), planned('d', 'rain')],
  models: [{ name: 'm' }],
  conditions: [
    { hash: 'original', model: 0, scenario: 'original', given: false },
    { hash: 'grey', model: 0, scenario: 'grey', given: false },
    { hash: 'given', model: 0, scenario: 'rain', given: true },
  ],
  wanted: [[0, 1], [0, 1], [0, 1], [2]],
} as unknown as Plan;
const known = new Set(['a', 'b', "c's", 'd', 'elsewhere']);

describe('findMissing', () => {
  let folder: string;
  let store: RunStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'missing-'));
    store = await openRunStore(folder);
  });
  afterEach(async () => {
    store.close();
    await rm(folder, { recursive: true });
  });
  const missing = async () => {
    const { missing: found, outdated } = await findMissing(store, plan, known);
    return [found.map(({ sampleIndex, conditions }) => [sampleIndex, ...conditions]), outdated];
  };

  it('is everything where nothing is stored', async () => {
    expect(await missing()).toEqual([
      [
        [0, 0, 1],
        [1, 0, 1],
        [2, 0, 1],
        [3, 2],
      ],
      0,
    ]);
  });

  it('is what no row answers, over several shards', async () => {
    await store.write('predictions', [stored('original', 'a'), stored('grey', 'a'), stored('grey', "c's")]);
    await store.write('predictions', [stored('original', 'b')]);
    expect(await missing()).toEqual([
      [
        [1, 1],
        [2, 0],
        [3, 2],
      ],
      0,
    ]);
  });

  it('tells the photograph d from the picture of that name that shows a scenario already', async () => {
    await store.write('predictions', [stored('given', 'd', { scenario: 'rain' })]);
    expect((await missing())[0]).toEqual([
      [0, 0, 1],
      [1, 0, 1],
      [2, 0, 1],
    ]);
    // A row of a photograph d, which belongs to the dataset and is not wanted now, answers nothing.
    await store.write('predictions', [stored('original', 'd')]);
    expect(await missing()).toEqual([
      [
        [0, 0, 1],
        [1, 0, 1],
        [2, 0, 1],
      ],
      0,
    ]);
  });

  it('takes away the rows of changed pictures and of samples that left the dataset, and no others', async () => {
    await store.write('predictions', [
      stored('original', 'a', { sampleHash: 'of another picture' }),
      stored('grey', 'a'),
      stored('original', 'elsewhere'),
      stored('original', 'left'),
      stored('unasked', 'left', { scenario: 'unasked' }),
    ]);
    await store.write('predictions', [stored('grey', 'left')]);
    const found = await findMissing(store, plan, known);
    expect(found.outdated).toBe(3);
    expect(found.missing[0]).toEqual({ sampleIndex: 0, conditions: [0] });
    expect(await store.countRows('predictions')).toBe(6);
    await found.removeOutdated();
    const left: string[] = [];
    await store.forEachKey('predictions', (condition, sample) => left.push(`${condition} ${sample}`));
    expect(left.sort()).toEqual(['grey a', 'original elsewhere', 'unasked left']);
  });

  it('counts what other settings of the same model and scenario made, but not heads trained on it', async () => {
    await store.write('predictions', [
      stored('another seed', 'a', { scenario: 'grey' }),
      stored('another seed', 'b', { scenario: 'grey' }),
      stored('a head', 'a', { scenario: 'grey', trained: 'grey' }),
      stored('another model', 'a', { scenario: 'grey', model: 'n' }),
    ]);
    const found = await findMissing(store, plan, known);
    expect(found.outdated).toBe(2);
    await found.removeOutdated();
    expect(await store.countRows('predictions')).toBe(2);
  });

  it('holds for more conditions than a byte has bits', async () => {
    const conditions = Array.from({ length: 19 }, (_, i) => ({
      hash: `c${i}`,
      model: 0,
      scenario: `c${i}`,
      given: false,
    }));
    const wide = { ...plan, conditions, wanted: plan.wanted.map(() => conditions.map((_, i) => i)) } as unknown as Plan;
    const rows = [0, 7, 8, 15, 16, 18].map((i) => stored(`c${i}`, 'b'));
    await store.write('predictions', rows);
    const { missing: found } = await findMissing(store, wide, known);
    expect(found[1].conditions).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 17]);
    expect(found.filter(({ conditions: left }) => left.length === 19)).toHaveLength(3);
  });
});
