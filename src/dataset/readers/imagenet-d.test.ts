import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('ImageNet-D: the nuisance is the scenario, several targets', async () => {
  await folder.picture('background/backpack/abc.png');
  await folder.picture('texture/chair/def.png');
  await folder.picture('material/sofa/ghi.png');
  folder.put('questions/background.csv', 'image_dir\tgt_category\ttop1_pred_cate\ttop2_pred_cate\n');
  const dataset = await readDataset(folder.root);
  expect(dataset.layout).toBe('imagenet-d');
  expect(dataset.samples).toMatchObject([
    { id: 'background/backpack/abc.png', label: 'backpack', targets: [414], scenario: 'background' },
    { id: 'texture/chair/def.png', label: 'chair', targets: [423, 559, 765], scenario: 'texture' },
    { id: 'material/sofa/ghi.png', label: 'sofa', scenario: 'material' },
  ]);
  expect(dataset.notes).toEqual(["sofa is none of ImageNet-D's 113 categories and has no target"]);
});
