import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, objectPixels } from '../../test/fixtures/dataset/files.ts';
import { readDataset } from './read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('finding the layout', () => {
  it('lists what it looked for where nothing fits', async () => {
    folder.put('readme.txt', 'x');
    const failure = readDataset(folder.root);
    await expect(failure).rejects.toThrow('No dataset layout fits');
    for (const layout of [
      'manifest',
      'coco',
      'labelme',
      'voc',
      'imagenet-s',
      'oxford-pet',
      'mvtec-ad',
      'ximagenet-12',
      'imagenet-d',
      'imagenet-e',
      'image-folder',
    ])
      await expect(failure).rejects.toThrow(`\n  ${layout.padEnd(13)} `);
  });
  it('takes a named one, and refuses unknown names and places', async () => {
    await folder.picture('images/a_1.jpg');
    await folder.mask('annotations/trimaps/a_1.png', (x) => (x < 5 ? 1 : 2));
    expect((await readDataset(folder.root)).layout).toBe('oxford-pet');
    expect((await readDataset(folder.root, { layout: 'image-folder' })).layout).toBe('image-folder');
    await expect(readDataset(folder.root, { layout: 'ade20k' })).rejects.toThrow('Expected one of manifest, coco');
    await expect(readDataset(join(folder.root, 'none'))).rejects.toThrow('Expected an existing folder or manifest');
    await expect(readDataset(folder.root, { layout: 'voc' })).rejects.toThrow('No images found');
  });
  it('decides the masks’ encoding once for the dataset', async () => {
    for (let i = 0; i < 5; i++) await folder.picture(`x/${i}.jpg`);
    for (let i = 0; i < 4; i++) await folder.mask(`masks/x/${i}.png`, (x) => (x < 5 + i ? 1 : i && x < 8 ? 3 : 2));
    await folder.mask('masks/x/4.png', () => 1);
    const { samples } = await readDataset(folder.root);
    expect(samples.map(({ mask }) => mask?.kind === 'file' && mask.encoding)).toEqual(new Array(5).fill('trimap'));
    await folder.mask('masks/x/4.png', (x) => (x < 3 ? 1 : 0));
    const mixed = await readDataset(folder.root);
    expect(mixed.notes).toEqual([
      'masks are of several encodings: of 5 looked at, 4 are trimap, 1 0/1; each is read as what it is',
    ]);
    expect(await objectPixels(mixed.samples[4])).toBe(3 * 16);
  });
});
