import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('image folder', () => {
  it('takes classes from folders, in an untidy one', async () => {
    await folder.picture('cat/a.JPG');
    await folder.picture('cat/b.JPEG');
    await folder.picture('cat/Ein schöner Kater (1).jpg');
    await folder.picture('dog/deep/inside/c.png');
    await folder.picture('dog/d.webp');
    folder.put('cat/Thumbs.db', 'x');
    folder.put('cat/.hidden.jpg', 'x');
    folder.put('cat/notes.txt', 'x');
    folder.put('.git/objects/x.jpg', 'x');
    folder.put('__MACOSX/cat/._a.JPG', 'x');
    folder.link('dog/linked.jpg', 'cat/a.JPG');
    folder.link('dog/loop', 'dog');
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('image-folder');
    expect(dataset.classes).toEqual(['cat', 'dog']);
    expect(ids(dataset.samples)).toEqual([
      'cat/Ein schöner Kater (1).jpg',
      'cat/a.JPG',
      'cat/b.JPEG',
      'dog/d.webp',
      'dog/deep/inside/c.png',
      'dog/linked.jpg',
    ]);
    expect(dataset.notes).toEqual(['1 images lie in folders inside class folders; the outermost is the class']);
  });
  it('finds masks beside the images, by each way of naming them', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await folder.picture(`cat/${name}.jpg`);
    await folder.mask('cat/a_mask.png');
    await folder.mask('cat/b.mask.png');
    await folder.mask('cat/c.png');
    await folder.mask('cat/lost_mask.png');
    const { samples, notes } = await readDataset(folder.root);
    expect(samples.map(folder.maskName)).toEqual(['cat/a_mask.png', 'cat/b.mask.png', 'cat/c.png', undefined]);
    expect(notes).toEqual(['1 mask has no image: cat/lost_mask.png']);
    expect(await objectPixels(samples[0])).toBe(8 * 16);
  });
  it('does not take a second picture of the same name for a mask', async () => {
    await folder.picture('cat/a.jpg', { width: 64, height: 64 });
    await folder.picture('cat/a.png', { width: 64, height: 64 });
    const { samples } = await readDataset(folder.root);
    expect(samples).toHaveLength(2);
    expect(samples.every(({ mask }) => !mask)).toBe(true);
  });
  it('finds masks in a parallel folder, beside the classes or beside images/', async () => {
    await folder.picture('one/cat/a.jpg');
    await folder.picture('one/dog/a.jpg');
    await folder.mask('one/masks/cat/a.png');
    await folder.mask('one/masks/dog/a_mask.png');
    await folder.picture('two/images/cat/x.jpg');
    await folder.mask('two/masks/cat/x.png');
    await folder.mask('two/masks/cat/unused.png');
    const one = await readDataset(join(folder.root, 'one'));
    expect(one.classes).toEqual(['cat', 'dog']);
    expect(one.samples.map(folder.maskName)).toEqual(['one/masks/cat/a.png', 'one/masks/dog/a_mask.png']);
    const two = await readDataset(join(folder.root, 'two'));
    expect(ids(two.samples)).toEqual(['images/cat/x.jpg']);
    expect(two.samples.map(folder.maskName)).toEqual(['two/masks/cat/x.png']);
    expect(two.notes[0]).toContain('unused.png');
    const images = await readDataset(join(folder.root, 'two/images'));
    expect(images.samples.map(folder.maskName)).toEqual(['two/masks/cat/x.png']);
    expect(images.notes[0]).toContain('neighbouring folder masks');
  });
  it('takes --masks, matching file names where folders differ', async () => {
    await folder.picture('photos/cat/a.jpg');
    await folder.picture('photos/dog/b.jpg');
    await folder.mask('elsewhere/flat/a.png');
    await folder.mask('elsewhere/flat/b.png');
    const { samples } = await readDataset(join(folder.root, 'photos'), { masks: join(folder.root, 'elsewhere') });
    expect(samples.map(folder.maskName)).toEqual(['elsewhere/flat/a.png', 'elsewhere/flat/b.png']);
    await expect(readDataset(join(folder.root, 'photos'), { masks: '/no/such' })).rejects.toThrow(
      "--masks but received '/no/such'",
    );
  });
  it('takes a mask by its name alone only where nothing else has that name', async () => {
    for (const name of ['cat/001.jpg', 'dog/001.jpg', 'dog/002.jpg', 'hen/002.jpg'])
      await folder.picture(`photos/${name}`);
    // Half of the folder is annotated: the other half must not borrow.
    await folder.mask('drawn/cat/001.png');
    await folder.mask('drawn/flat/002.png');
    const { samples } = await readDataset(join(folder.root, 'photos'), { masks: join(folder.root, 'drawn') });
    expect(samples.map((sample) => sample.mask && folder.maskName(sample))).toEqual([
      'drawn/cat/001.png',
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('takes a mask of --masks before one that lies beside the image', async () => {
    await folder.picture('photos/cat/a.jpg');
    await folder.mask('photos/cat/a_mask.png');
    await folder.picture('photos/cat/b.jpg');
    await folder.mask('photos/cat/b_mask.png');
    await folder.mask('better/cat/a.png');
    const { samples } = await readDataset(join(folder.root, 'photos'), { masks: join(folder.root, 'better') });
    expect(samples.map(folder.maskName)).toEqual(['better/cat/a.png', 'photos/cat/b_mask.png']);
  });
  it('is not misled by a class called mask, nor by pictures of masks', async () => {
    for (const name of ['mask/1.jpg', 'mask/gas_mask.jpg', 'cat/2.jpg'])
      await folder.picture(name, { width: 64, height: 64 });
    const { classes, samples } = await readDataset(folder.root);
    expect(classes).toEqual(['cat', 'mask']);
    expect(ids(samples)).toEqual(['cat/2.jpg', 'mask/1.jpg', 'mask/gas_mask.jpg']);
  });
  it('looks inside a lone images/, and inside splits that keep their own', async () => {
    await folder.picture('lone/images/cat/a.jpg');
    expect((await readDataset(join(folder.root, 'lone'))).samples).toMatchObject([
      { id: 'images/cat/a.jpg', label: 'cat' },
    ]);
    for (const split of ['train', 'val']) {
      await folder.picture(`parts/${split}/images/cat/a.jpg`);
      await folder.mask(`parts/${split}/masks/cat/a.png`);
    }
    const { samples } = await readDataset(join(folder.root, 'parts'));
    expect(samples).toMatchObject([
      { id: 'train/images/cat/a.jpg', label: 'cat', split: 'train' },
      { id: 'val/images/cat/a.jpg', label: 'cat', split: 'val' },
    ]);
    expect(samples.map(folder.maskName)).toEqual(['parts/train/masks/cat/a.png', 'parts/val/masks/cat/a.png']);
  });
  it('pairs names whose accents are written differently', async () => {
    await folder.picture(`cat/${'schön'.normalize('NFD')}.jpg`);
    await folder.mask(`masks/cat/${'schön'.normalize('NFC')}.png`);
    const { samples } = await readDataset(folder.root);
    expect(samples[0].mask).toBeDefined();
  });
  it('knows splits, pictures without class, wnids and cut-outs', async () => {
    await folder.picture('a/train/cat/1.jpg');
    await folder.picture('a/val/cat/2.jpg');
    const split = await readDataset(join(folder.root, 'a'));
    expect(split.samples.map((sample) => [sample.split, sample.label])).toEqual([
      ['train', 'cat'],
      ['val', 'cat'],
    ]);
    await folder.picture('b/1.jpg');
    expect((await readDataset(join(folder.root, 'b'))).samples[0].label).toBeUndefined();
    await folder.picture('c/n02110958/1.jpg');
    expect((await readDataset(join(folder.root, 'c'))).samples[0].targets).toEqual([254]);
    const rgba = Uint8Array.from({ length: 24 * 16 * 4 }, (_, i) => (i % 4 === 3 ? (i % 96 < 40 ? 255 : 0) : i % 251));
    folder.put(
      'd/cat/1.png',
      await sharp(rgba, { raw: { width: 24, height: 16, channels: 4 } })
        .png()
        .toBuffer(),
    );
    const cut = await readDataset(join(folder.root, 'd'));
    expect(cut.samples[0].mask).toEqual({ kind: 'alpha' });
    expect(await objectPixels(cut.samples[0])).toBe(10 * 16);
  });
});
