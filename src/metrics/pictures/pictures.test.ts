import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints } from '../../../test/support/cli.ts';
import { makeDataset } from '../../../test/support/dataset.ts';
import { picturesSchema } from '../../contracts/pictures.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { readDataset } from '../../dataset/index.ts';
import { decodeImage } from '../../image/decode.ts';
import { openRunStore } from '../../run/folder/index.ts';
import { renderPictures } from '../../run/pictures.ts';
import { chooseTelling, type SampleTally } from './choose-telling.ts';
import { tellingSamples } from './telling-samples.ts';

const tally = (sample: string, label: string, lostByEdit: number, more: Partial<SampleTally> = {}): SampleTally => ({
  sample,
  label,
  answers: 10,
  wrong: lostByEdit,
  originalRight: 1,
  lostByEdit,
  ...more,
});

describe('telling samples', () => {
  it('are those that edits break most, one of each class first, then steady and lost ones', () => {
    const tallies = [
      tally('a1', 'a', 9),
      tally('a2', 'a', 8),
      tally('b1', 'b', 3),
      tally('b2', 'b', 0),
      tally('c1', 'c', 0, { wrong: 10, originalRight: 0 }),
      tally('c2', 'c', 1),
    ];
    expect(chooseTelling(tallies, { most: 5 })).toEqual([
      { sample: 'a1', label: 'a', why: 'fragile' },
      { sample: 'b1', label: 'b', why: 'fragile' },
      { sample: 'c2', label: 'c', why: 'fragile' },
      { sample: 'b2', label: 'b', why: 'steady' },
      { sample: 'c1', label: 'c', why: 'lost' },
    ]);
  });

  it('are as many as asked for where there are enough, never twice, whatever the order', () => {
    const one = fc.record({
      label: fc.constantFrom('a', 'b', 'c'),
      wrong: fc.integer({ min: 0, max: 10 }),
      right: fc.constantFrom(0, 1, null),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), (drawn, most) => {
        const tallies = drawn.map(({ label, wrong, right }, i) =>
          tally(`s${i}`, label, right ? wrong : 0, { wrong, originalRight: right }),
        );
        const chosen = chooseTelling(tallies, { most });
        expect(chosen).toHaveLength(Math.min(most, tallies.length));
        expect(new Set(chosen.map(({ sample }) => sample)).size).toBe(chosen.length);
        expect(chooseTelling([...tallies].reverse(), { most })).toEqual(chosen);
      }),
    );
  });
});

describe('pictures of a run', () => {
  let folder: string;
  let dataset: Dataset;
  const scenarios = ['original', 'blur-background', 'size:0.05', 'random-background'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sceneshift-pictures-'));
    const { manifest } = await makeDataset(join(folder, 'data'), { perClass: 2, width: 320, height: 200 });
    dataset = await readDataset(manifest);
    const rows = dataset.samples.flatMap(({ id, label = '' }, i) =>
      scenarios.map((scenario, s) => ({
        model: 'net',
        trained: '',
        scenario,
        sample: id,
        group: '',
        label,
        fold: -1,
        prediction: 'x',
        probability: 0.5,
        probabilityTruth: 0.5,
        rankTruth: 1,
        correct: s <= i % 4,
        correctOwn: true,
        condition: scenario,
        sampleHash: id,
      })),
    );
    const store = await openRunStore(folder);
    await store.write('predictions', rows);
    store.close();
    return () => rm(folder, { recursive: true, force: true });
  });

  const record = {
    sceneshift: '0',
    seed: 0,
    data: { path: '/data', layout: 'image-folder', hash: 'a', samples: 3, classes: [] },
    conditions: { one: {}, two: {} } as Record<string, unknown>,
  };
  const render = async (given?: typeof record) =>
    renderPictures({
      run: folder,
      record: given,
      samples: dataset.samples,
      scenarios,
      telling: await tellingSamples(folder, { samples: dataset.samples, scenarios, most: 3 }),
      seed: 0,
      threads: 1,
      photographs: { mode: 'corrected', flatten: [255, 255, 255], maxPixels: 1e8, border: 'ignore' },
    });

  it('show every scenario of the telling samples, small, and are the same every time', async () => {
    const index = await render();
    expect(picturesSchema.parse(JSON.parse(await readFile(join(folder, 'pictures/index.json'), 'utf8')))).toEqual(
      index,
    );
    expect(index.samples).toHaveLength(3);
    for (const { pictures } of index.samples) {
      expect(pictures.map(({ scenario }) => scenario)).toEqual(scenarios);
      for (const { file, width, height } of pictures) {
        const image = await decodeImage(join(folder, 'pictures', file));
        expect([image.width, image.height]).toEqual([width, height]);
        expect(Math.max(width, height)).toBe(160);
      }
    }
    const before = await fingerprints(join(folder, 'pictures'));
    await render();
    expect(await fingerprints(join(folder, 'pictures'))).toEqual(before);
  });

  it('are drawn again only where something they are made from has changed, or one of them is gone', async () => {
    const index = await render(record);
    const file = join(folder, 'pictures', index.samples[0].pictures[0].file);
    const mark = async () => {
      await writeFile(file, 'left alone');
      return async () => (await readFile(file, 'utf8')) === 'left alone';
    };
    const leftAlone = await mark();
    expect(await render(record)).toEqual(index);
    expect(await leftAlone()).toBe(true);
    await render({ ...record, conditions: { one: {}, three: {} } });
    expect(await leftAlone()).toBe(false);
    await render({ ...record, data: { ...record.data, hash: 'b' } });
    await rm(file);
    await render({ ...record, data: { ...record.data, hash: 'b' } });
    expect((await decodeImage(file)).width).toBeGreaterThan(0);
  });
});
