import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PredictionRow } from '../contracts/prediction.ts';
import { openRunStore, type StoredRow, withRunFolder, writeErrorLines, writeRunRecord } from './folder/index.ts';
import { mergeRuns } from './merge.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-merge-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const row = (i: number): StoredRow<PredictionRow> => ({
  ...{ model: 'm', trained: '', scenario: 'original', sample: `${i}.jpg`, group: '', label: 'cat', fold: -1 },
  ...{ prediction: 'cat', probability: 0.5, probabilityTruth: 0.5, rankTruth: 1, correct: i % 3 > 0, correctOwn: true },
  ...{ condition: 'm original', sampleHash: String(i) },
});
const record = {
  models: [{ name: 'm', identity: { hash: 'a' } }],
  scenarios: ['original'],
  seed: 1,
  data: { path: 'd', hash: 'x', classes: ['cat'] },
};

/** A run folder with these samples, in shards of this many. */
async function part(name: string, samples: readonly number[], { perShard = 5, fields = {} } = {}) {
  const folder = join(home, name);
  const store = await openRunStore(folder);
  for (let i = 0; i < samples.length; i += perShard)
    await store.write('predictions', samples.slice(i, i + perShard).map(row));
  store.close();
  await writeRunRecord(folder, { ...record, finished: '2026-01-01', seconds: 2, ...fields });
  await writeErrorLines(folder, [{ sample: `${samples[0]}.jpg`, problem: 'other', message: 'x' }]);
  return folder;
}
const rowsOf = (folder: string) => withRunFolder(folder, (opened) => opened.rows('predictions'));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('joining run folders', () => {
  it('gives the rows of one whole run, however they were cut and however often they were made', async () => {
    const whole = await part('whole', numbers(0, 40), { perShard: 16 });
    const a = await part('a', numbers(0, 20));
    const b = await part('b', numbers(15, 40), { perShard: 4 });
    const again = join(home, 'again');
    await cp(a, again, { recursive: true });
    const summary = await mergeRuns([a, b, again], join(home, 'joined'));
    expect(await rowsOf(summary.run)).toEqual(await rowsOf(whole));
    expect(summary).toMatchObject({ rows: 40, known: 4, errors: 2 });
    // Once more: nothing changes.
    expect(await mergeRuns([a, b], summary.run)).toMatchObject({ rows: 40, errors: 2 });
  });

  it('refuses other data, another seed and another model of the same name, and names the difference', async () => {
    const a = await part('first', [1]);
    const join2 = (other: string) => mergeRuns([a, other], join(home, 'refused'));
    const data = await part('data', [2], { fields: { data: { ...record.data, hash: 'y' } } });
    await expect(join2(data)).rejects.toThrow(/differ in pictures, masks or labels/);
    await expect(join2(await part('seed', [2], { fields: { seed: 2 } }))).rejects.toThrow(/differ in seed/);
    const model = await part('model', [2], { fields: { models: [{ name: 'm', identity: { hash: 'b' } }] } });
    await expect(join2(model)).rejects.toThrow(/different models called m/);
  });
});
