import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('Oxford pets: class from the name, trimaps, splits, and the files macOS left', async () => {
  await folder.picture('images/Egyptian_Mau_10.jpg');
  await folder.picture('images/great_pyrenees_3.jpg');
  folder.put('images/Abyssinian_100.mat', 'x');
  await folder.mask('annotations/trimaps/Egyptian_Mau_10.png', (x) => (x < 5 ? 1 : x < 8 ? 3 : 2));
  await folder.mask('annotations/trimaps/lost_1.png', (x) => (x < 5 ? 1 : 2));
  folder.put('annotations/trimaps/._Egyptian_Mau_10.png', 'x');
  folder.put('annotations/trainval.txt', '#Image CLASS-ID SPECIES BREED ID\nEgyptian_Mau_10 12 1 6\n');
  folder.put('annotations/test.txt', 'great_pyrenees_3 16 2 11\n');
  const dataset = await readDataset(folder.root);
  expect(dataset.layout).toBe('oxford-pet');
  expect(dataset.samples).toMatchObject([
    { id: 'images/Egyptian_Mau_10.jpg', label: 'Egyptian_Mau', split: 'trainval' },
    { id: 'images/great_pyrenees_3.jpg', label: 'great_pyrenees', split: 'test' },
  ]);
  expect(await objectPixels(dataset.samples[0])).toBe(5 * 16);
  expect(dataset.notes).toEqual(['1 mask has no image: annotations/trimaps/lost_1.png']);
});
