import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/fixtures/dataset/files.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { checkDataset } from '../dataset/check/check.ts';
import { readDataset } from '../dataset/index.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { decodeImage } from '../image/decode.ts';
import { render } from './render.ts';
import { type RenderLayout, renderLayouts } from './render-layouts.ts';

const scenarios = ['original', 'grey', 'blur-background', 'size:0.3', 'tint-red'];
const photographs = { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e8, border: 'ignore' } as const;

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

/** Trimaps, labels of several kinds, a name in two classes, a split and a group. */
async function source(): Promise<Dataset> {
  const labels = ['n02110958', 'n02123394', 'Persian cat', '=weird, "label"'];
  const rows = ['image,mask,label,split,group'];
  for (const [i, label] of labels.entries()) {
    await folder.picture(`in/${i}/same.jpg`, { width: 64, height: 48 });
    await folder.mask(`in/${i}/same.png`, (x, y) => (x < 8 || y < 8 || x > 40 ? 0 : x < 12 ? 128 : 255), {
      width: 64,
      height: 48,
    });
    rows.push(`${i}/same.jpg,${i}/same.png,"${label.replaceAll('"', '""')}",${i % 2 ? 'train' : 'test'},g${i % 2}`);
  }
  return readDataset(folder.put('in/manifest.csv', `${rows.join('\n')}\n`));
}

const keyOf = ({ id, scenario = 'original' }: Sample) => `${scenario} ${id}`;
const factsOf = ({ label, split, group }: Sample) => ({ label, split, group });

async function maskOf(sample: Sample) {
  const { width, height } = await decodeImage(sample.image);
  const { mask } = await loadMask(sample.mask as NonNullable<Sample['mask']>, { width, height, path: sample.image });
  return mask;
}

async function renderAs(layout: RenderLayout, dataset: Dataset): Promise<string> {
  const out = join(folder.root, layout);
  await render({
    samples: dataset.samples,
    dataset,
    scenarios,
    out,
    layout,
    seed: 1,
    format: 'png',
    quality: 90,
    photographs,
    threads: 1,
    maxErrors: 0,
  });
  return out;
}

describe.each(renderLayouts)('what render writes as %s', (layout) => {
  it('is read back by itself: samples, labels, splits, groups and masks', async () => {
    const dataset = await source();
    const back = await readDataset(await renderAs(layout, dataset));
    const expected = dataset.samples.flatMap((sample) =>
      scenarios.map((scenario) => ({ ...sample, ...(scenario !== 'original' && { scenario }) })),
    );
    const found = new Map(back.samples.map((sample) => [keyOf(sample), sample]));
    expect([...found.keys()].sort()).toEqual(expected.map(keyOf).sort());
    for (const sample of expected) {
      const read = found.get(keyOf(sample)) as Sample;
      expect(factsOf(read)).toEqual(factsOf(sample));
      if (sample.scenario !== 'size:0.3') expect(await maskOf(read)).toEqual(await maskOf(sample));
      else expect(await maskOf(read)).not.toEqual(await maskOf(sample));
    }
    expect((await checkDataset(back)).problems).toEqual([]);
  });
});

describe("the papers' own readers", () => {
  it.each(['ximagenet-12', 'imagenet-e'] as const)(
    '%s: labels, scenarios and masks without the manifest',
    async (layout) => {
      const dataset = await source();
      const { samples } = await readDataset(await renderAs(layout, dataset), { layout });
      const labels = (list: readonly Sample[]) => [...new Set(list.map(({ label }) => label))].sort();
      expect(samples).toHaveLength(dataset.samples.length * scenarios.length);
      expect(labels(samples)).toEqual(labels(dataset.samples));
      expect([...new Set(samples.map(({ scenario = 'original' }) => scenario))].sort()).toEqual([...scenarios].sort());
      expect(samples.filter(({ mask }) => !mask).map(keyOf)).toEqual([]);
      const moved = samples.find(({ scenario }) => scenario === 'size:0.3') as Sample;
      const original = samples.find(({ id, scenario }) => id === moved.id && !scenario) as Sample;
      expect(await maskOf(moved)).not.toEqual(await maskOf(original));
    },
  );
});

it.each(['original', 'grey', 'tint-red'])('ends where a picture cannot be written: %s', async (blocked) => {
  const dataset = await source();
  folder.put(`blocked/${ximagenetFolder[blocked]}`, 'no folder');
  const writing = render({
    ...{ samples: dataset.samples, dataset, scenarios, layout: 'ximagenet-12', seed: 1, format: 'png', quality: 90 },
    ...{ out: join(folder.root, 'blocked'), photographs, threads: 1, maxErrors: 0 },
  });
  await expect(writing).rejects.toThrow(/ENOTDIR|EEXIST/);
});
const ximagenetFolder: Record<string, string> = { original: 'image', grey: 'image_grey', 'tint-red': 'image_r' };
