import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import type { MaskSource } from '../../contracts/sample.ts';
import { readDataset } from '../read.ts';
import { assignFolds } from '../splits.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

/** As documented by MVTec: pictures 000.png, …, masks 000_mask.png, nothing in ground_truth for good parts. */
const build = async (prefix: string, defects = ['broken_large']) => {
  for (const name of ['000', '001']) await folder.picture(`${prefix}train/good/${name}.png`);
  await folder.picture(`${prefix}test/good/000.png`);
  for (const defect of defects) {
    await folder.picture(`${prefix}test/${defect}/000.png`);
    await folder.mask(`${prefix}ground_truth/${defect}/000_mask.png`);
  }
  folder.put(`${prefix}license.txt`, 'CC BY-NC-SA 4.0');
  folder.put(`${prefix}readme.txt`, 'about');
};
const relative = (source: MaskSource | undefined) =>
  source?.kind === 'file' ? source.path.slice(folder.root.length + 1) : undefined;

describe('MVTec AD', () => {
  it('reads one category: good against defective, with the type of the defect', async () => {
    await build('bottle/', ['broken_large', 'contamination']);
    const one = await readDataset(join(folder.root, 'bottle'));
    expect(one.layout).toBe('mvtec-ad');
    expect(one.classes).toEqual(['defective', 'good']);
    expect(one.samples.map(({ id, label, kind, split }) => [id, label, kind, split])).toEqual([
      ['train/good/000.png', 'good', 'good', 'train'],
      ['train/good/001.png', 'good', 'good', 'train'],
      ['test/broken_large/000.png', 'defective', 'broken_large', 'test'],
      ['test/contamination/000.png', 'defective', 'contamination', 'test'],
      ['test/good/000.png', 'good', 'good', 'test'],
    ]);
    expect(one.samples.map(({ protect }) => relative(protect))).toEqual([
      undefined,
      undefined,
      'bottle/ground_truth/broken_large/000_mask.png',
      'bottle/ground_truth/contamination/000_mask.png',
      undefined,
    ]);
    expect(one.samples.map(folder.maskName)).toEqual(one.samples.map(({ protect }) => relative(protect)));
    expect(one.notes).toContain('defects: broken_large 1, contamination 1');
  });

  it('reads all fifteen categories of a folder, files beside them passed over', async () => {
    const names =
      'bottle cable capsule carpet grid hazelnut leather metal_nut pill screw tile toothbrush transistor wood zipper';
    for (const name of names.split(' ')) await build(`${name}/`);
    folder.put('license.txt', 'CC BY-NC-SA 4.0');
    const all = await readDataset(folder.root);
    expect(all.layout).toBe('mvtec-ad');
    expect(all.samples).toHaveLength(15 * 4);
    expect(all.classes).toEqual(['defective', 'good']);
    expect(new Set(all.samples.map(({ kind }) => kind)).size).toBe(30);
    expect(all.samples.find(({ kind }) => kind === 'zipper/broken_large')?.id).toBe('zipper/test/broken_large/000.png');
  });

  it('takes masks of the parts from a parallel folder, the defect still protected', async () => {
    await build('bottle/');
    for (const name of ['train/good/000', 'test/good/000', 'test/broken_large/000'])
      await folder.mask(`parts/${name}.png`, (x) => (x > 4 ? 255 : 0));
    const { samples, notes } = await readDataset(join(folder.root, 'bottle'), { masks: join(folder.root, 'parts') });
    expect(samples.map(({ mask, protect }) => [relative(mask), relative(protect)])).toEqual([
      ['parts/train/good/000.png', undefined],
      [undefined, undefined],
      ['parts/test/broken_large/000.png', 'bottle/ground_truth/broken_large/000_mask.png'],
      ['parts/test/good/000.png', undefined],
    ]);
    expect(notes).toContain('1 images have no mask of the part');
  });

  it('says where a defect has no mask, and where a mask has no picture', async () => {
    await build('bottle/');
    await folder.picture('bottle/test/broken_large/001.png');
    await folder.mask('bottle/ground_truth/broken_large/007_mask.png');
    const { notes } = await readDataset(join(folder.root, 'bottle'));
    expect(notes).toContain('1 defective images have no ground-truth mask, so nothing of them is protected');
    expect(notes).toContain('1 mask has no image: ground_truth/broken_large/007_mask.png');
  });
});

describe('folds', () => {
  it('spread the types of defect, not the labels alone', () => {
    const samples = Array.from({ length: 48 }, (_, i) => ({
      id: `s${i}`,
      label: i < 24 ? 'good' : 'defective',
      kind: i < 24 ? 'good' : ['hole', 'scratch', 'stain'][i % 3],
    }));
    const folds = assignFolds(samples, { folds: 4, seed: 3 });
    for (const kind of ['hole', 'scratch', 'stain', 'good'])
      for (let fold = 0; fold < 4; fold++)
        expect(samples.filter((sample) => sample.kind === kind && folds.get(sample.id) === fold)).toHaveLength(
          kind === 'good' ? 6 : 2,
        );
  });
});
