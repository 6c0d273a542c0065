import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDuckDb } from './duckdb.ts';
import { readParquetColumns } from './open.ts';
import { openRunStore, type RunStore } from './store.ts';

const row = (condition: string, sample: string, over: Record<string, string | number | boolean> = {}) => ({
  model: 'm',
  trained: '',
  scenario: 'original',
  sample,
  group: '',
  label: 'cat',
  fold: -1,
  prediction: 'dog',
  probability: 0.25,
  probabilityTruth: 0.125,
  rankTruth: 3,
  correct: false,
  correctOwn: true,
  condition,
  sampleHash: `hash of ${sample}`,
  ...over,
});

describe('openRunStore', () => {
  let folder: string;
  let store: RunStore;
  const keys = async () => {
    const found: string[] = [];
    await store.forEachKey('predictions', (condition, sample, sampleHash) =>
      found.push(`${condition} ${sample} ${sampleHash}`),
    );
    return found.sort();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
    store = await openRunStore(folder);
  });
  afterEach(async () => {
    store.close();
    await rm(folder, { recursive: true });
  });

  it('finds what it has written, under a name that depends on the identities alone', async () => {
    await store.write('predictions', [row('u', 'a'), row('u', "b'é,")]);
    const names = await readdir(join(folder, 'predictions'));
    await store.write('predictions', [row('u', "b'é,"), row('u', 'a')]);
    expect(await readdir(join(folder, 'predictions'))).toEqual(names);
    expect(await keys()).toEqual(['u a hash of a', "u b'é, hash of b'é,"]);
    expect(await store.countRows('predictions')).toBe(2);
  });

  it('keeps what several write at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => store.write('predictions', [row('u', name), row('v', name)])));
    expect(await keys()).toEqual(['u', 'v'].flatMap((u) => names.map((name) => `${u} ${name} hash of ${name}`)));
  });

  it('two machines that finish the same shards in the same moment: each is there once, and whole', async () => {
    const other = await openRunStore(folder, { sweep: false });
    const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
    const finish = (machine: RunStore) => names.map((name) => machine.write('predictions', [row('u', name)]));
    await Promise.all([...finish(store), ...finish(other)]);
    other.close();
    expect(await readdir(join(folder, 'predictions'))).toHaveLength(8);
    expect(await keys()).toEqual(names.map((name) => `u ${name} hash of ${name}`));
    expect(await store.countRows('predictions')).toBe(8);
  });

  it('goes on with a run whose identity columns have their former names', async () => {
    await store.write('predictions', [row('u', 'a')]);
    const [name] = await readdir(join(folder, 'predictions'));
    const shard = join(folder, 'predictions', name);
    const { connection, close } = await openDuckDb();
    await connection.run(
      `COPY (SELECT * RENAME (condition AS unit, "sampleHash" AS source) FROM '${shard}') TO '${shard}' (FORMAT parquet)`,
    );
    close();
    await expect(keys()).rejects.toThrow();
    store.close();
    expect(Object.keys(await readParquetColumns([shard]))).not.toContain('unit');

    store = await openRunStore(folder);
    expect(await keys()).toEqual(['u a hash of a']);
    expect(await readdir(join(folder, 'predictions'))).toEqual([name]);
  });

  it('removes stale rows and keeps their neighbours', async () => {
    await store.write('predictions', [row('u', 'a'), row('u', 'b')]);
    await store.write('predictions', [row('u', 'c')]);
    await store.remove('predictions', [
      { condition: 'u', sample: 'a' },
      { condition: 'u', sample: 'c' },
    ]);
    expect(await keys()).toEqual(['u b hash of b']);
    expect(await readdir(join(folder, 'predictions'))).toHaveLength(1);
  });

  it('replaces rows of the same model and scenario made under other conditions, and no others', async () => {
    await store.write('predictions', [
      row('old', 'a'),
      row('other', 'a', { scenario: 'grey' }),
      row('old', 'b', { model: 'n' }),
    ]);
    await store.removeReplaced('predictions', [{ condition: 'new', model: 'm', scenario: 'original' }]);
    expect(await keys()).toEqual(['old b hash of b', 'other a hash of a']);
  });

  it('sweeps away what a kill left half written', async () => {
    await store.write('predictions', [row('u', 'a')]);
    await writeFile(join(folder, 'predictions', '.abc.partial'), 'half');
    store.close();
    store = await openRunStore(folder);
    expect(await readdir(join(folder, 'predictions'))).toHaveLength(1);
    expect(await keys()).toHaveLength(1);
  });

  it('keeps the rows of heads and of the delivered model apart', async () => {
    const curve = {
      model: 'm',
      trained: 'grey',
      fold: 0,
      part: 'curve' as const,
      step: 0,
      strength: 1,
      lossTrain: 1,
      accuracyTrain: 1,
    };
    const validation = { lossValidation: Number.NaN, accuracyValidation: Number.NaN, chosen: true, sampleHash: '' };
    await store.write('predictions', [
      row('delivered', 'a'),
      row('old head', 'a', { trained: 'grey' }),
      row('head', 'a', { trained: 'grey' }),
    ]);
    await store.write(
      'training',
      ['head', 'old head'].map((condition) => ({ ...curve, ...validation, condition })),
    );
    await store.removeHeads('predictions', 'm', ['head']);
    await store.removeHeads('training', 'm', ['head']);
    expect(await keys()).toEqual(['delivered a hash of a', 'head a hash of a']);
    expect(await store.countRows('training')).toBe(1);
    // A model of the same name under other settings replaces its own rows, not those of its heads.
    await store.removeReplaced('predictions', [{ condition: 'new', model: 'm', scenario: 'original' }]);
    expect(await keys()).toEqual(['head a hash of a']);
  });
});
