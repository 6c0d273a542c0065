import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import { runRecordVersion } from '../../contracts/run-record.ts';
import { openRunFolder, openRunStore, readRunRecord, withRunFolder, writeRunRecord } from './index.ts';

const counts = (model: string, sample: string, className: string) => ({
  ...{ model, scenario: 'original', sample, group: '', label: 'cat', class: className },
  ...{ intersection: 1, union: 2, predicted: 1, truth: 2, correctPixels: 3, pixels: 4 },
  ...{ boundaryPredicted: 0, boundaryTruth: 0, boundaryPredictedMatched: 0, boundaryTruthMatched: 0 },
  ...{ condition: `${model} original`, sampleHash: sample },
});

describe('a run folder', () => {
  let home: string;
  let run: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'run-folder-'));
    run = join(home, 'run');
    await makeRunFolder(run, { perClass: 3 });
  });
  afterAll(() => rm(home, { recursive: true }));

  it('names the file that is damaged where only reading meets it, and no other mistake', async () => {
    const copy = join(home, 'damaged');
    await cp(run, copy, { recursive: true });
    const [name] = (await readdir(join(copy, 'predictions'))).filter((file) => file.endsWith('.parquet'));
    const file = join(copy, 'predictions', name);
    const whole = await readFile(file);
    let met = 0;
    for (let at = 8; at < whole.length / 2; at += 40) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, at, at + 24);
      await writeFile(file, bytes);
      const folder = await openRunFolder(copy);
      const opens = await folder.query('SELECT count(*) FROM predictions').then(
        () => true,
        () => false,
      );
      const said = await folder.rows('predictions').then(
        () => '',
        (error: Error) => `${error.name}: ${error.message}`,
      );
      if (opens && said) {
        expect(said).toContain(`UserError: Cannot read ${file}: `);
        expect(said).toContain('the file is damaged');
        met++;
      }
      folder.close();
    }
    expect(met).toBeGreaterThan(0);
    await writeFile(file, whole);
    const folder = await openRunFolder(copy);
    await expect(folder.query('SELECT nothing FROM predictions')).rejects.toThrow(/Binder Error/);
    folder.close();
  });

  it('is asked in SQL, its tables under their own names', async () => {
    const folder = await openRunFolder(run);
    expect([...folder.tables]).toEqual(['predictions']);
    const rows = await folder.query<{ model: string; n: number }>(
      'SELECT model, count(*) AS n FROM predictions WHERE scenario = $scenario GROUP BY model ORDER BY model',
      { scenario: 'original' },
    );
    expect(rows).toEqual([
      { model: 'bad', n: 9 },
      { model: 'good', n: 9 },
    ]);
    expect(await folder.query('SELECT * FROM segmentation WHERE class = ?', ['object'])).toEqual([]);
    expect(Object.keys((await folder.rows('predictions'))[0])).not.toContain('condition');
    expect((await folder.record()).models.map(({ name }) => name)).toEqual(['good', 'bad']);
    expect(await folder.errors()).toHaveLength(1);
    folder.close();
  });

  it('that is deleted while it is read is told as that, before the first question and after it', async () => {
    const gone = 'was deleted, moved or rewritten while it was read';
    for (const askedBefore of [false, true]) {
      const other = join(home, `deleted-${askedBefore}`);
      await makeRunFolder(other, { perClass: 1 });
      const folder = await openRunFolder(other);
      if (askedBefore) await folder.query('SELECT 1');
      await rm(other, { recursive: true });
      await expect(folder.rows('predictions')).rejects.toThrow(gone);
      await expect(folder.columns('SELECT model FROM predictions')).rejects.toThrow(gone);
      folder.close();
    }
    const folder = await openRunFolder(run);
    await expect(folder.query('SELECT no FROM predictions')).rejects.not.toThrow(gone);
    folder.close();
  });

  it('gives columns with words as codes and unknown numbers as NaN', async () => {
    const folder = await openRunFolder(run);
    const { word, number } = await folder.columns(
      "SELECT * FROM (VALUES ('b', 1.5), ('a', NULL), (NULL, 2)) AS v(word, number)",
    );
    expect(word).toEqual({ codes: Uint32Array.of(2, 1, 0), levels: ['', 'a', 'b'] });
    expect(number).toEqual(Float64Array.of(1.5, Number.NaN, 2));
    folder.close();
  });

  it('keeps every class of a segmentation, and each row once though a kill left it twice', async () => {
    const twice = join(home, 'twice');
    const store = await openRunStore(twice);
    await store.write('segmentation', [counts('m', 'a', 'object'), counts('m', 'a', 'cat')]);
    await store.write('segmentation', [
      counts('m', 'a', 'object'),
      counts('m', 'a', 'cat'),
      counts('m', 'b', 'object'),
    ]);
    const classes = () =>
      withRunFolder(twice, async (folder) =>
        (await folder.rows('segmentation')).map((row) => `${row.sample} ${row.class}`),
      );
    const each = ['a cat', 'a object', 'b object'];
    expect(await store.countRows('segmentation')).toBe(5);
    expect(await classes()).toEqual(each);
    await store.removeRepeated('segmentation');
    expect(await store.countRows('segmentation')).toBe(3);
    expect(await classes()).toEqual(each);
    store.close();
  });

  it.each([
    ['', 'is empty'],
    ['{ "models": [', 'is damaged'],
    ['{ "models": 3 }', 'is damaged at models'],
    [`{ "version": ${runRecordVersion + 1} }`, 'use a newer Sceneshift'],
  ])('names a record that cannot be read: %s', async (text, message) => {
    const broken = join(home, 'broken');
    await mkdir(broken, { recursive: true });
    await writeFile(join(broken, 'run.json'), text);
    await expect(readRunRecord(broken)).rejects.toThrow(message);
    await expect(readRunRecord(broken)).rejects.toThrow(join(broken, 'run.json'));
  });

  it('says that there is none', async () => {
    await expect(openRunFolder(join(home, 'nothing'))).rejects.toThrow('There is no run folder');
    await expect(readRunRecord(home)).rejects.toThrow('No run.json in');
  });

  it('writes a damaged record anew, and keeps what an earlier call listed', async () => {
    const copy = join(home, 'copy');
    await cp(run, copy, { recursive: true });
    await writeRunRecord(copy, { models: [{ name: 'third' }], scenarios: ['grey'], seed: 4 });
    expect(await readRunRecord(copy)).toMatchObject({
      version: runRecordVersion,
      seed: 4,
      models: [{ name: 'good' }, { name: 'bad' }, { name: 'third' }],
      scenarios: ['original', 'blur-background', 'random-background', 'size:0.05', 'grey'],
      data: { layout: 'image-folder' },
    });
    await writeFile(join(copy, 'run.json'), '{');
    await writeRunRecord(copy, { models: [{ name: 'third' }], scenarios: ['grey'] });
    expect((await readRunRecord(copy)).models).toMatchObject([{ name: 'third' }]);
  });
});
