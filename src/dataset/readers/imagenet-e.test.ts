import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('ImageNet-E: edits paired by name, labels from the list', async () => {
  await folder.picture('ori/ILSVRC2012_val_00000293.JPEG');
  await folder.picture('full/ILSVRC2012_val_00000293.JPEG');
  await folder.picture('random_bg/ILSVRC2012_val_00000293.png');
  await folder.picture('random_bg/unlisted.png');
  folder.put('labels.txt', 'ILSVRC2012_val_00000293.JPEG\t254\r\n');
  const dataset = await readDataset(folder.root);
  expect(dataset.layout).toBe('imagenet-e');
  expect(dataset.samples.slice(0, 3).map(({ id, scenario, targets, label }) => [id, scenario, targets, label])).toEqual(
    [
      ['ori/ILSVRC2012_val_00000293.JPEG', 'size:full', [254], 'n02110958'],
      ['ori/ILSVRC2012_val_00000293.JPEG', undefined, [254], 'n02110958'],
      ['ori/ILSVRC2012_val_00000293.JPEG', 'random_bg', [254], 'n02110958'],
    ],
  );
  expect(dataset.notes).toEqual(['1 images are not in labels.txt and have no label']);
});
