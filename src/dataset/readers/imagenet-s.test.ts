import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('ImageNet-S', () => {
  const encode = (id: number): [number, number, number] => [id % 256, id >> 8, 0];
  it('of a part takes class numbers from the masks', async () => {
    for (const [wnid, id] of [
      ['n01440764', 1],
      ['n15075141', 919],
    ] as const) {
      await folder.picture(`ImageNetS919/validation/${wnid}/ILSVRC2012_val_1.JPEG`);
      await folder.colours(`ImageNetS919/validation-segmentation/${wnid}/ILSVRC2012_val_1.png`, (x) =>
        encode(x < 5 ? id : x < 7 ? 300 : x < 9 ? 1000 : 0),
      );
      await folder.colours(`ImageNetS919/validation-segmentation/${wnid}/ILSVRC2012_val_2.png`, (x) =>
        encode(x < 2 ? id : 0),
      );
      await folder.picture(`ImageNetS919/validation/${wnid}/ILSVRC2012_val_2.JPEG`);
    }
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('imagenet-s');
    expect(dataset.samples[0]).toMatchObject({
      id: 'ImageNetS919/validation/n01440764/ILSVRC2012_val_1.JPEG',
      label: 'n01440764',
      targets: [0],
      split: 'validation',
    });
    expect(dataset.samples.map(({ mask }) => mask?.kind === 'file' && mask.values)).toEqual([[1], [1], [919], [919]]);
    expect(await objectPixels(dataset.samples[2])).toBe(5 * 16);
  });
  it('of a whole set numbers the classes in the order of the wnids', async () => {
    const wnids = Array.from({ length: 50 }, (_, i) => `n${String(10_000_000 + i * 7).slice(0, 8)}`);
    for (const wnid of wnids) {
      await folder.picture(`validation/${wnid}/a.JPEG`, { width: 4, height: 4 });
      await folder.colours(`validation-segmentation/${wnid}/a.png`, () => [0, 0, 0], { width: 4, height: 4 });
    }
    const { samples, notes } = await readDataset(folder.root);
    expect(samples.map(({ mask }) => mask?.kind === 'file' && mask.values?.[0])).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    expect(notes).toEqual([]);
  });
});
