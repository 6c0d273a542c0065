import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('XIMAGENET-12', () => {
  it('pairs scenarios with their photograph, in either arrangement', async () => {
    for (const scenario of ['image', 'blur_background', 'image_g', 'Segmented_image'])
      await folder.picture(`a/${scenario}/n02119022/n02119022_12.JPEG`);
    await folder.picture('a/transparent_img/n02119022/n02119022_12.png');
    await folder.picture('a/Random Background with Real Environment/n02119022/n02119022_12.jpg');
    await folder.colours('a/masks/n02119022/n02119022_12.png', (x) => (x < 6 ? [255, 0, 0] : [0, 0, 0]));
    folder.put('a/readme/x.jpg', 'x');
    const dataset = await readDataset(join(folder.root, 'a'));
    expect(dataset.layout).toBe('ximagenet-12');
    expect(new Set(ids(dataset.samples))).toEqual(new Set(['image/n02119022/n02119022_12.JPEG']));
    expect(dataset.samples.map(({ scenario }) => scenario).sort()).toEqual([
      'blur-background',
      'random-background-additive',
      'segmented',
      'tint-green',
      'transparent',
      undefined,
    ]);
    expect(dataset.samples.every(({ label, targets }) => label === 'n02119022' && targets?.[0] === 277)).toBe(true);
    const original = dataset.samples.find(({ scenario }) => !scenario) as Sample;
    expect(original.mask).toMatchObject({ encoding: 'red-on-black' });
    expect(await objectPixels(original)).toBe(6 * 16);
    expect(dataset.notes).toEqual(['1 files in readme belong to no scenario known by name and are left out']);

    await folder.picture('b/n02119022/image/n02119022_1.JPEG');
    await folder.picture('b/n02119022/blur_object/n02119022_1.JPEG');
    await folder.picture('b/n02119022/image_r/n02119022_1.JPEG');
    const other = await readDataset(join(folder.root, 'b'));
    expect(other.layout).toBe('ximagenet-12');
    expect(other.samples.map(({ id, scenario }) => [id, scenario])).toEqual([
      ['n02119022/image/n02119022_1.JPEG', 'blur-object'],
      ['n02119022/image/n02119022_1.JPEG', undefined],
      ['n02119022/image/n02119022_1.JPEG', 'tint-red'],
    ]);
  });
});
