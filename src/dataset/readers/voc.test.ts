import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { loadMask } from '../masks/load.ts';
import { vocColour } from '../masks/voc-colours.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('PASCAL VOC', () => {
  const object = (name: string, [x0, y0, x1, y1]: number[], part = '') =>
    `<object><name>${name}</name>${part}<bndbox><xmin>${x0}</xmin><ymin>${y0}</ymin><xmax>${x1}</xmax><ymax>${y1}</ymax></bndbox></object>`;
  const colourOf = (index: number): [number, number, number] => {
    const colour = vocColour(index);
    return [colour >> 16, (colour >> 8) & 255, colour & 255];
  };
  it('takes the largest annotated object from the object masks, borders unknown', async () => {
    await folder.picture('JPEGImages/2007_000032.jpg');
    await folder.picture('JPEGImages/2007_000033.jpg');
    folder.put(
      'Annotations/2007_000032.xml',
      `<annotation><filename>x</filename>${object('cat', [1, 1, 4, 4])}${object('dog &amp; co', [5, 1, 24, 16], '<part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>')}</annotation>`,
    );
    await folder.colours('SegmentationObject/2007_000032.png', (x) =>
      colourOf(x < 4 ? 1 : x === 4 ? 255 : x < 20 ? 2 : 0),
    );
    folder.put('ImageSets/Segmentation/val.txt', '2007_000032\n');
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('voc');
    expect(dataset.samples).toMatchObject([
      { id: 'JPEGImages/2007_000032.jpg', label: 'dog & co', split: 'val', box: [4, 0, 20, 16] },
    ]);
    expect(dataset.notes).toEqual(['1 pictures without a segmentation are left out']);
    expect(await objectPixels(dataset.samples[0])).toBe(15 * 16);
    const mask = dataset.samples[0].mask;
    const loaded = mask && (await loadMask(mask, { width: 24, height: 16, path: dataset.samples[0].image }));
    expect(loaded?.mask.ignore?.filter(Boolean)).toHaveLength(16);
    const each = await readDataset(folder.root, { objects: 'each' });
    expect(ids(each.samples)).toEqual(['JPEGImages/2007_000032.jpg#1', 'JPEGImages/2007_000032.jpg#2']);
  });
  it('reads class masks, with or without annotations, and the usual nesting', async () => {
    const root = 'VOCdevkit/VOC2012';
    await folder.picture(`${root}/JPEGImages/a.jpg`);
    await folder.colours(`${root}/SegmentationClass/a.png`, (x) => colourOf(x < 3 ? 8 : x < 12 ? 12 : 0));
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('voc');
    expect(dataset.samples).toMatchObject([{ id: 'VOCdevkit/VOC2012/JPEGImages/a.jpg', label: 'dog' }]);
    expect(await objectPixels(dataset.samples[0])).toBe(9 * 16);
  });
  it('without segmentation gives boxes', async () => {
    await folder.picture('JPEGImages/a.jpg');
    folder.put('Annotations/a.xml', `<annotation>${object('bird', [2, 3, 10, 9])}</annotation>`);
    const { samples } = await readDataset(folder.root);
    expect(samples).toMatchObject([{ label: 'bird', box: [1, 2, 9, 7] }]);
    expect(samples[0].mask).toBeUndefined();
  });
});
