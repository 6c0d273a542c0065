import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../test/fixtures/dataset/files.ts';
import { labelRule } from './label-from.ts';
import { readDataset } from './read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('labels from file names', () => {
  it.each([
    ['name', 'Persian_12.jpg', 'Persian'],
    ['name', 'a/b/great pyrenees (3).jpeg', 'great pyrenees'],
    ['name', 'n02110958-0042.png', 'n02110958'],
    ['name', '12.jpg', undefined],
    ['LABEL_*', 'Persian_cat_12.jpg', 'Persian'],
    ['*_LABEL', 'img12_pug.jpg', 'pug'],
    ['cam?.LABEL(*', 'cam?.pug(1.jpg', 'pug'],
    ['/_(\\w+)$/', 'x_pug.jpg', 'pug'],
    ['/^(.+)-/i', 'none.jpg', undefined],
  ])('%s on %s: %s', (rule, file, label) => {
    expect(labelRule(rule)(file)).toBe(label);
  });
  it.each(['', '*_*', '/no group/', '/(/', 'LABEL-LABEL'])('refuses %s, and says what to write', (rule) => {
    expect(() => labelRule(rule)).toThrow(/LABEL_\*/);
  });
  it('in a flat folder, with masks beside', async () => {
    await folder.picture('Persian_1.jpg');
    await folder.picture('pug_2.jpg');
    await folder.mask('pug_2_mask.png');
    await folder.picture('other.jpg');
    const { samples, classes, notes } = await readDataset(folder.root, { labelFrom: 'name' });
    expect(samples.map(({ label, mask }) => [label, mask?.kind])).toEqual([
      ['Persian', undefined],
      [undefined, undefined],
      ['pug', 'file'],
    ]);
    expect(classes).toEqual(['Persian', 'pug']);
    expect(notes).toContainEqual(expect.stringContaining('no label in 1 of 3'));
    await expect(readDataset(folder.root, { labelFrom: 'x_LABEL' })).rejects.toThrow(/a rule that fits the files/);
  });
});

describe('masks as a layout has them', () => {
  it('--masks that is not used is an error that says who uses it', async () => {
    await folder.picture('a.jpg');
    await folder.mask('m/a.png');
    folder.put('manifest.csv', 'image\na.jpg\n');
    await expect(readDataset(folder.root, { masks: `${folder.root}/m` })).rejects.toThrow(
      /not used by the layout manifest.*for mvtec-ad and image-folder/,
    );
  });
  it('a mask of another encoding is refused where the layout insists', async () => {
    await folder.picture('a.jpg');
    await folder.mask('a.png', (x) => (x < 8 ? 200 : 100));
    const row = (mask: object) =>
      folder.put('m.jsonl', JSON.stringify({ image: 'a.jpg', mask: { kind: 'file', path: 'a.png', ...mask } }));
    const pixels = async () => objectPixels((await readDataset(`${folder.root}/m.jsonl`)).samples[0]);
    row({ encoding: 'trimap', insist: true });
    await expect(pixels()).rejects.toThrow(/is not trimap, as the layout has its masks/);
    row({ encoding: '0/255', insist: true });
    expect(await pixels()).toBe(8 * 16);
    row({ encoding: '0/255', insist: true, threshold: 100 });
    await expect(pixels()).rejects.toThrow(/covers the whole image/);
    row({ encoding: '0/255', insist: true, threshold: 201 });
    await expect(pixels()).rejects.toThrow(/empty/);
  });
  it('greys at equal steps are opacities, split at half; class numbers stay numbers', async () => {
    const five = [0, 64, 128, 191, 255];
    for (let i = 0; i < 6; i++) {
      await folder.picture(`a/${i}.jpg`);
      await folder.mask(`masks/a/${i}.png`, (x) => five[Math.min(4, x % 6)]);
    }
    await folder.picture('a/some.jpg');
    await folder.mask('masks/a/some.png', (x) => (x < 4 ? 64 : x < 8 ? 255 : 0));
    const { samples } = await readDataset(folder.root);
    expect(samples.map(({ mask }) => mask?.kind === 'file' && mask.encoding)).toEqual(Array(7).fill('0/255'));
    // 128, 191 and twice 255 of every six columns.
    expect(await objectPixels(samples[0])).toBe(4 * 4 * 16);
    expect(await objectPixels(samples[6])).toBe(4 * 16);
    const classes = createFolder();
    for (let i = 0; i < 3; i++) {
      await classes.picture(`a/${i}.jpg`);
      await classes.mask(`masks/a/${i}.png`, (x) => [0, 9, 15, 255][x % 4]);
    }
    const read = (await readDataset(classes.root)).samples;
    classes.remove();
    expect(read.map(({ mask }) => mask?.kind === 'file' && mask.encoding)).toEqual(Array(3).fill('class-index'));
  });
});

it.each(['annotations/trimaps', 'annotations'])(
  'a flat Oxford folder with its trimaps in %s is one dataset',
  async (at) => {
    for (const name of ['Persian_1', 'Persian_2', 'pug_7']) {
      await folder.picture(`${name}.jpg`);
      await folder.mask(`${at}/${name}.png`, (x) => (x < 4 ? 1 : x < 6 ? 3 : 2));
    }
    const { layout, classes, samples } = await readDataset(folder.root);
    expect([layout, classes, ids(samples)]).toEqual([
      'oxford-pet',
      ['Persian', 'pug'],
      ['Persian_1.jpg', 'Persian_2.jpg', 'pug_7.jpg'],
    ]);
    expect(await objectPixels(samples[2])).toBe(4 * 16);
  },
);
