import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../test/fixtures/models/pattern.ts';
import { type MiningRecord, miningRecordSchema } from '../contracts/mining.ts';
import { readDataset } from '../dataset/index.ts';
import { machineCsv } from '../formats/csv-write.ts';
import { imagenetDMap } from '../labels/imagenet-d.ts';
import { openRunStore, writeRunRecord } from '../run/folder/index.ts';
import { randomFor } from '../stats/random.ts';
import { datasheet } from './datasheet.ts';
import { mineRun, verifyMining } from './mine-run.ts';
import { release } from './release.ts';
import { exportReviewTables, importReviewTable, reviewId, reviewQueueOf } from './review-exchange.ts';

const models = ['s1', 's2', 's3', 't1', 't2'];
const options = { surrogates: ['s1', 's2', 's3'], targets: ['t1', 't2'], atLeast: 2, seed: 3 };
let home: string;
let run: string;
/** The run as it is mined by these options; tests only read it, and mine otherwise in a copy. */
let record: MiningRecord;
async function copyOfRun(name: string): Promise<string> {
  await cp(run, join(home, name), { recursive: true });
  return join(home, name);
}

/** A pool of 120 prompts, two seeds each, whose difficulty belongs to the prompt; every model's answer in a real run folder. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-mine-'));
  run = join(home, 'run');
  const random = randomFor('mine-run');
  const rows = [];
  const manifest: (string | number)[][] = [];
  for (let prompt = 0; prompt < 120; prompt++) {
    const difficulty = random.uniform() ** 2;
    const label = ['mug', 'vase', 'banana'][prompt % 3];
    const [r, g, b] = Array(3).fill(Math.round(255 * difficulty));
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
    const kind = ['background', 'texture', 'material'][Math.floor(prompt / 3) % 3];
    for (const seed of [1, 2]) {
      const image = `${prompt}-${seed}.png`;
      await writeFile(join(home, image), picture);
      manifest.push([image, label, 504, kind, seed, `prompt ${prompt}`]);
      for (const model of models) {
        const correct = random.uniform() >= difficulty;
        rows.push({
          ...{ model, trained: '', scenario: 'original', sample: image, group: `prompt ${prompt}`, label, fold: -1 },
          ...{
            prediction: correct ? label : 'teapot',
            probability: 0.6,
            probabilityTruth: correct ? 0.6 : 1 - difficulty,
          },
          ...{ rankTruth: correct ? 1 : 2, correct, correctOwn: correct, condition: model, sampleHash: image },
        });
      }
    }
  }
  const data = join(home, 'manifest.csv');
  await writeFile(data, machineCsv(['image', 'label', 'target', 'kind', 'seed', 'group'], manifest));
  const store = await openRunStore(run);
  await store.write('predictions', rows);
  store.close();
  await writeRunRecord(run, {
    models: models.map((name) => ({ name })),
    scenarios: ['original'],
    data: { path: data, layout: 'manifest' },
  });
  record = await mineRun({ run, ...options });
}, 120_000);
afterAll(() => rm(home, { recursive: true, force: true }));

describe('mining a run', () => {
  it('writes a record that its contract accepts, chosen on the first seed, with the second as a check', async () => {
    expect(miningRecordSchema.parse(JSON.parse(await readFile(join(run, 'mining.json'), 'utf8')))).toEqual(record);
    expect(record.selection.onSeed).toBe(1);
    expect(record.chosen.every(({ seed, failedBy }) => seed === 1 && failedBy.length >= 2)).toBe(true);
    const target = record.transfer.find(({ model }) => model === 't1');
    expect(target).toMatchObject({ role: 'target' });
    expect(target?.fall.ci[0]).toBeGreaterThan(0);
    // Difficulty belongs to the prompt, so other pictures of it are hard too.
    expect(record.freshSeed?.find(({ model }) => model === 't1')?.freshSeed.ci[0]).toBeGreaterThan(0);
    expect(new Set(record.audit.map(({ by }) => by))).toEqual(new Set(['class', 'nuisance']));
    expect(record.confusions[0].prediction).toBe('teapot');
    // All of one colour: their contrast tells nothing.
    const terms = record.transferModel.map(({ term }) => term);
    expect(terms).toEqual(expect.arrayContaining(['belief in the truth', 'brightness']));
    expect(terms).not.toContain('contrast');
  });

  it('with nobody held out, writes a record that its contract accepts all the same', async () => {
    const run = await copyOfRun('nobody');
    const record = await mineRun({ run, ...options, targets: [] });
    expect(record.curve).toEqual({ points: [], flattensAt: null });
    expect(miningRecordSchema.parse(JSON.parse(await readFile(join(run, 'mining.json'), 'utf8')))).toEqual(record);
  });

  it('proves that the held-out models had no part: the surrogates alone choose the same, and an edited record is found', async () => {
    const run = await copyOfRun('nine');
    const record = await mineRun({ run, ...options, perClass: 9 });
    expect(await verifyMining(record, run)).toBe(true);
    expect(await verifyMining({ ...record, chosen: record.chosen.slice(1) }, run)).toBe(false);
    const smuggled = { ...record, selection: { ...record.selection, targets: ['s1'] } };
    expect(await verifyMining(smuggled, run)).toBe(false);
  });

  it('goes to reviewers as a table and back, and only what they accept is released', async () => {
    const run = await copyOfRun('twelve');
    const record = await mineRun({ run, ...options, size: 12 });
    const out = join(home, 'review');
    const rule = { wanted: { object: 'yes', label: 'yes' }, atLeast: 1, votes: 1 };
    const queue = await reviewQueueOf(record, run, out, rule);
    await exportReviewTables(queue, out);
    expect((await readdir(join(out, 'thumbnails'))).length).toBe(12);
    await exportReviewTables(queue, out, ['Ada L.', 'Bob']);
    const named = await readFile(join(out, 'review-1-Ada_L_.csv'), 'utf8');
    expect(named.trimEnd().split('\n')[0].trimEnd()).toBe('reviewer,id,category,thumbnail,object,only,label,real');
    expect(named.trimEnd().split('\n').slice(1)).toSatisfy((rows: string[]) =>
      rows.every((row) => row.startsWith('Ada L.,')),
    );
    expect(await readdir(out)).toContain('review-2-Bob.csv');
    const [header, ...lines] = (await readFile(join(out, 'review.csv'), 'utf8')).trimEnd().split('\n');
    const filled = lines.map((line, i) =>
      line.replace(/^,/, 'Ada,').replace(/,,,,$/, i < 5 ? ',y,y,yes,yes' : ',n,,,'),
    );
    await writeFile(join(out, 'ada.csv'), [header, ...filled].join('\n'));
    const votes = await importReviewTable(queue, join(out, 'ada.csv'));
    expect(votes).toHaveLength(5 * 4 + 7);
    await writeFile(join(out, 'bad.csv'), [header, lines[0].replace(/,,,,$/, ',y,y,y,y')].join('\n'));
    await expect(importReviewTable(queue, join(out, 'bad.csv'))).rejects.toThrow(/the reviewer's name/);

    const kept = new Set(
      votes.filter(({ question, answer }) => question === 'label' && answer === 'yes').map(({ item }) => item),
    );
    const answers = new Map(options.surrogates.map((name) => [name, record.chosen.map(() => 'teapot')]));
    const review = { reviewers: ['Ada'], rule: 'one yes', agreement: [], kept };
    const released = await release({
      ...{ record, run, out: join(home, 'hard'), review, answers },
      clip: { folder: fixture('clip'), labels: record.chosen.map(({ label }) => label) },
    });
    expect(released).toMatchObject({ pictures: 5, leftOut: 7 });

    const again = await readDataset(join(home, 'hard', 'manifest.csv'));
    expect(again.samples).toHaveLength(5);
    expect(again.samples[0].targets).toEqual([504]);
    const layout = await readDataset(join(home, 'hard'), { layout: 'imagenet-d' });
    expect(layout.samples.map(({ label }) => label).sort()).toEqual(again.samples.map(({ label }) => label).sort());
    const questions = await readdir(join(home, 'hard', 'questions'));
    const [first] = questions;
    const text = await readFile(join(home, 'hard', 'questions', first), 'utf8');
    expect(text.split('\n')[0]).toBe('image_dir\tgt_category\ttop1_pred_cate\ttop2_pred_cate');
    expect(text.split('\n')[1]).toMatch(/\t(mug|vase|banana)\tteapot\tteapot$/);
    expect(await readdir(join(home, 'hard', 'questions-clip'))).toEqual(questions);
    const byClip = await readFile(join(home, 'hard', 'questions-clip', first), 'utf8');
    const firstTwo = (table: string) => table.split('\n').map((line) => line.split('\t').slice(0, 2));
    expect(firstTwo(byClip)).toEqual(firstTwo(text));
    for (const line of byClip.trimEnd().split('\n').slice(1))
      for (const guess of line.split('\t').slice(2)) expect(imagenetDMap.has(guess), guess).toBe(true);
    expect(await readFile(join(home, 'hard', 'DATASHEET.md'), 'utf8')).toContain('1 reviewers (Ada)');
    expect(reviewId(record.chosen[0])).toMatch(/^[0-9a-f]{12}$/);
  });

  it('leaves some of the pictures in the run folder, small, nuisances by turns and every class', async () => {
    expect(record.chosen.length).toBeGreaterThan(24);
    expect(record.thumbnails).toHaveLength(24);
    const shown = record.thumbnails.map(({ sample }) => record.chosen.find((one) => one.sample === sample));
    for (const of of ['nuisance', 'label'] as const) {
      const counts = [...new Set(record.chosen.map((one) => one[of]))].map(
        (word) => shown.filter((one) => one?.[of] === word).length,
      );
      expect(Math.max(...counts) - Math.min(...counts), of).toBeLessThanOrEqual(of === 'nuisance' ? 0 : 3);
    }
    for (const { file, width, height } of record.thumbnails.slice(0, 2)) {
      expect([width, height]).toEqual([40, 30]);
      expect(await sharp(join(run, file)).metadata()).toMatchObject({ format: 'webp', width, height });
    }
  });

  it('a nuisance whose name leads elsewhere is only a name, and nothing half made is left', async () => {
    const chosen = record.chosen.map((one) => ({ ...one, nuisance: '../../elsewhere' }));
    const before = await readdir(home);
    const out = join(home, 'a', 'hard');
    const answers = new Map(options.surrogates.map((name) => [name, chosen.map(() => 'teapot')]));
    await release({ record: { ...record, chosen }, run, out, answers });
    expect((await readdir(home)).sort()).toEqual([...before, 'a'].sort());
    expect(await readdir(join(home, 'a'))).toEqual(['hard']);
    expect(await readdir(join(out, 'questions'))).toHaveLength(1);
    expect(await readdir(out)).not.toContain('.partial');
  });

  it('the datasheet says when nobody looked, and no name is markup in it', async () => {
    const wicked = '<script>alert(1)</script>|[x](y)';
    const text = datasheet({ ...record, selection: { ...record.selection, surrogates: [wicked] } }, { released: 3 });
    expect(text).toContain('Nobody: the pictures are released as they were mined');
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('[x](y)');
  });
});
