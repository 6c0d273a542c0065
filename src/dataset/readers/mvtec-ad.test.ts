import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('MVTec AD', () => {
  const build = async (prefix: string) => {
    await folder.picture(`${prefix}train/good/000.png`);
    await folder.picture(`${prefix}test/good/000.png`);
    await folder.picture(`${prefix}test/broken_large/000.png`);
    await folder.mask(`${prefix}ground_truth/broken_large/000_mask.png`);
  };
  it('reads one category or all', async () => {
    await build('bottle/');
    await build('cable/');
    const all = await readDataset(folder.root);
    expect(all.layout).toBe('mvtec-ad');
    expect(all.samples).toHaveLength(6);
    expect(all.classes).toEqual(['bottle/broken_large', 'bottle/good', 'cable/broken_large', 'cable/good']);
    const one = await readDataset(join(folder.root, 'bottle'));
    expect(one.samples.map(({ id, label, split }) => [id, label, split])).toEqual([
      ['train/good/000.png', 'good', 'train'],
      ['test/broken_large/000.png', 'broken_large', 'test'],
      ['test/good/000.png', 'good', 'test'],
    ]);
    expect(one.samples.map(folder.maskName)).toEqual([
      undefined,
      'bottle/ground_truth/broken_large/000_mask.png',
      undefined,
    ]);
  });
});
