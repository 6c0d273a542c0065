import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('COCO', () => {
  const base = () => ({
    info: { description: 'made up' },
    images: [
      { id: 1, file_name: 'one.jpg', width: 80, height: 64 },
      { id: 2, file_name: 'two.jpg', width: 80, height: 64 },
      { id: 3, file_name: 'three.jpg', width: 80, height: 64 },
    ],
    categories: [
      { id: 18, name: 'dog' },
      { id: 17, name: 'cat' },
    ],
  });
  const { merged } = JSON.parse(
    readFileSync(new URL('../../../test/fixtures/dataset/polygons.json', import.meta.url), 'utf8'),
  );
  const annotations = [
    {
      id: 11,
      image_id: 1,
      category_id: 18,
      iscrowd: 0,
      area: 900,
      bbox: [10, 10, 50, 48],
      segmentation: merged.polygons,
    },
    {
      id: 12,
      image_id: 1,
      category_id: 17,
      iscrowd: 0,
      area: 30,
      bbox: [0, 0, 6, 5],
      segmentation: [[0, 0, 6, 0, 6, 5, 0, 5]],
    },
    {
      id: 15,
      image_id: 1,
      category_id: 18,
      iscrowd: 0,
      area: 20,
      bbox: [70, 50, 5, 4],
      segmentation: [[70, 50, 75, 50, 75, 54, 70, 54]],
    },
    {
      id: 13,
      image_id: 2,
      category_id: 17,
      iscrowd: 0,
      area: 9,
      bbox: [0, 0, 3, 3],
      segmentation: { counts: merged.counts, size: [64, 80] },
    },
    {
      id: 14,
      image_id: 2,
      category_id: 18,
      iscrowd: 1,
      area: 5000,
      bbox: [0, 0, 80, 64],
      segmentation: { counts: merged.runs, size: [64, 80] },
    },
  ];
  async function build(where: string, images: string) {
    for (const name of ['one', 'two', 'three'])
      await folder.picture(`${images}/${name}.jpg`, { width: 80, height: 64 });
    return folder.put(where, JSON.stringify({ ...base(), annotations }));
  }
  const area = merged.runs.filter((_: number, i: number) => i % 2).reduce((sum: number, run: number) => sum + run, 0);

  it('takes the largest object of each picture, masks as pycocotools makes them', async () => {
    const file = await build('annotations/instances_val2017.json', 'val2017');
    const dataset = await readDataset(file);
    expect(dataset.layout).toBe('coco');
    expect(dataset.samples.map(({ label }) => label)).toEqual(['dog', 'cat']);
    expect(ids(dataset.samples)).toEqual(['../val2017/one.jpg', '../val2017/two.jpg']);
    expect(dataset.samples[0].box).toEqual([10, 10, 50, 48]);
    for (const sample of dataset.samples) expect(await objectPixels(sample, { width: 80, height: 64 })).toBe(area);
    expect(dataset.notes).toEqual([
      '1 images of instances_val2017.json have no object and are left out',
      '1 crowd annotations are left out: they are no single object',
    ]);
  });
  it('takes every object, or all of one class as one', async () => {
    await build('_annotations.coco.json', '.');
    const each = await readDataset(folder.root, { objects: 'each' });
    expect(ids(each.samples)).toEqual(['one.jpg#11', 'one.jpg#12', 'one.jpg#15', 'two.jpg']);
    expect(each.samples[1]).toMatchObject({ label: 'cat', group: 'one.jpg', box: [0, 0, 6, 5] });
    expect(await objectPixels(each.samples[1], { width: 80, height: 64 })).toBe(30);
    const whole = await readDataset(folder.root, { objects: 'class' });
    expect(await objectPixels(whole.samples[0], { width: 80, height: 64 })).toBe(area + 20);
    expect(whole.samples[0].box).toEqual([10, 10, 65, 48]);
  });
  it('joins polygons with run lengths of the same class', async () => {
    await folder.picture('one.jpg', { width: 80, height: 64 });
    const mixed = [annotations[3], { ...annotations[1], image_id: 2, id: 99 }].map((annotation) => ({
      ...annotation,
      image_id: 1,
    }));
    const file = folder.put('x.json', JSON.stringify({ ...base(), annotations: mixed }));
    const { samples } = await readDataset(file, { objects: 'class' });
    expect(samples[0].mask?.kind).toBe('rle');
    expect(await objectPixels(samples[0], { width: 80, height: 64 })).toBe(area + 30);
  });
  it('says what is wrong with a file or an annotation', async () => {
    const broken = folder.put('a.json', '{"images": [{"id": 1}], "annotations": [], "categories": []}');
    expect((await readDataset(broken)).problems).toMatchObject([
      { sample: 'image 1', message: expect.stringContaining('file_name') },
    ]);
    const frame = folder.put('c.json', '{"images": {}, "annotations": [], "categories": []}');
    await expect(readDataset(frame, { layout: 'coco' })).rejects.toThrow(/lists images.*look at: images/);
    await folder.picture('one.jpg', { width: 80, height: 64 });
    const bad = folder.put(
      'b.json',
      JSON.stringify({ ...base(), annotations: [{ id: 5, image_id: 1 }, annotations[0]] }),
    );
    expect((await readDataset(bad)).problems).toMatchObject([{ sample: 'annotation 5' }]);
  });
});
