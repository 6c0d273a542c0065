import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import type { Sample } from '../../contracts/sample.ts';
import { loadMask } from '../masks/load.ts';
import { vocColour } from '../masks/voc-colours.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

const ids = (samples: readonly Sample[]) => samples.map(({ id }) => id);
const maskName = ({ mask }: Sample) => (mask?.kind === 'file' ? mask.path.slice(folder.root.length + 1) : mask?.kind);
async function objectPixels(sample: Sample, size = { width: 24, height: 16 }): Promise<number> {
  if (!sample.mask) return -1;
  const { mask } = await loadMask(sample.mask, { ...size, path: sample.image }, { border: 'background' });
  return mask.data.filter(Boolean).length;
}

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
    expect(samples.map(maskName)).toEqual(['cat/a_mask.png', 'cat/b.mask.png', 'cat/c.png', undefined]);
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
    expect(one.samples.map(maskName)).toEqual(['one/masks/cat/a.png', 'one/masks/dog/a_mask.png']);
    const two = await readDataset(join(folder.root, 'two'));
    expect(ids(two.samples)).toEqual(['images/cat/x.jpg']);
    expect(two.samples.map(maskName)).toEqual(['two/masks/cat/x.png']);
    expect(two.notes[0]).toContain('unused.png');
    const images = await readDataset(join(folder.root, 'two/images'));
    expect(images.samples.map(maskName)).toEqual(['two/masks/cat/x.png']);
    expect(images.notes[0]).toContain('neighbouring folder masks');
  });
  it('takes --masks, matching file names where folders differ', async () => {
    await folder.picture('photos/cat/a.jpg');
    await folder.picture('photos/dog/b.jpg');
    await folder.mask('elsewhere/flat/a.png');
    await folder.mask('elsewhere/flat/b.png');
    const { samples } = await readDataset(join(folder.root, 'photos'), { masks: join(folder.root, 'elsewhere') });
    expect(samples.map(maskName)).toEqual(['elsewhere/flat/a.png', 'elsewhere/flat/b.png']);
    await expect(readDataset(join(folder.root, 'photos'), { masks: '/no/such' })).rejects.toThrow(
      "--masks but received '/no/such'",
    );
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
    expect(samples.map(maskName)).toEqual(['parts/train/masks/cat/a.png', 'parts/val/masks/cat/a.png']);
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

describe('manifest', () => {
  it('reads CSV as spreadsheets write it', async () => {
    await folder.picture('images/a b.jpg');
    await folder.mask('m.png');
    const csv =
      '\uFEFFImage,label,target,Mask,note\r\n"images/a b.jpg","a ""quoted"", label",3|5,m.png,"two\r\nlines"\r\n\r\nimages/c.jpg,other,,,\r\n';
    const path = folder.put('list.csv', csv);
    const { samples, notes, layout, classes } = await readDataset(path);
    expect(layout).toBe('manifest');
    expect(samples[0]).toMatchObject({ id: 'images/a b.jpg', label: 'a "quoted", label', targets: [3, 5] });
    expect(samples[0].image).toBe(join(folder.root, 'images/a b.jpg'));
    expect(samples[1]).toEqual({ id: 'images/c.jpg', image: join(folder.root, 'images/c.jpg'), label: 'other' });
    expect(classes).toEqual(['a "quoted", label', 'other']);
    expect(notes).toEqual(["column 'note' is not used"]);
  });
  it('reads JSON lines, with masks in place', async () => {
    const lines = [
      { image: 'a.jpg', label: 'x', target: 7, split: 'val', group: 'g', box: [1, 2, 3, 4] },
      {
        image: 'b.jpg',
        target: [1, 2],
        mask: { kind: 'polygons', polygons: [[0, 0, 9, 0, 9, 9]], width: 24, height: 16 },
      },
      { image: 'c.jpg', scenario: 'grey', sample: 'a.jpg' },
    ];
    const path = folder.put('list.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`);
    const { samples, problems } = await readDataset(path);
    expect(samples[0]).toMatchObject({ targets: [7], split: 'val', group: 'g', box: [1, 2, 3, 4] });
    expect(samples[1]).toMatchObject({ targets: [1, 2], mask: { kind: 'polygons' } });
    expect(samples[2]).toMatchObject({ id: 'a.jpg', scenario: 'grey' });
    expect(problems).toMatchObject([{ message: 'list.jsonl, line 4: it is not a JSON object' }]);
  });
  it('takes semicolons and tabs, Windows paths, and names each bad line', async () => {
    const windows = folder.put('w.csv', 'image;label;target\nimages\\cat\\a.jpg;cat;1\n;dog;2\nb.jpg;dog;two\n');
    const { samples, problems } = await readDataset(windows);
    expect(ids(samples)).toEqual(['images/cat/a.jpg']);
    expect(problems.map(({ message }) => message)).toEqual([
      'w.csv, line 3: no image is named',
      "w.csv, line 4: target 'two' is not an output index (a whole number, or several joined by |)",
    ]);
    const tabs = folder.put('t.tsv', 'image\tlabel\na.jpg\tx, y\n');
    expect((await readDataset(tabs)).samples[0].label).toBe('x, y');
  });
  it('is found in a folder, and needs the column image', async () => {
    folder.put('manifest.csv', 'image,label\na.jpg,x\n');
    expect((await readDataset(folder.root)).layout).toBe('manifest');
    const bad = folder.put('bad.csv', 'images,label\na.jpg,x\n');
    await expect(readDataset(bad)).rejects.toThrow(
      "Expected a column 'image' in bad.csv but found 'images', 'label'; rename 'images'",
    );
  });
  it('counts a repeated line once and numbers other objects of one picture', async () => {
    const path = folder.put('m.csv', 'image,label,mask\na.jpg,x,1.png\na.jpg,x,1.png\na.jpg,x,2.png\n');
    const { samples, notes } = await readDataset(path);
    expect(ids(samples)).toEqual(['a.jpg', 'a.jpg#2']);
    expect(samples[1].group).toBe('a.jpg');
    expect(notes).toHaveLength(2);
  });
});

describe('COCO', () => {
  const base = () => ({
    info: { description: 'made up' },
    images: [
      { id: 1, file_name: 'one.jpg', width: 80, height: 64 },
      { id: 2, file_name: 'two.jpg', width: 80, height: 64 },
      { id: 3, file_name: 'three.jpg', width: 80, height: 64 },
    ],
    categories: [
      { id: 18, name: 'dog' },
      { id: 17, name: 'cat' },
    ],
  });
  const { merged } = JSON.parse(
    readFileSync(new URL('../../../test/fixtures/dataset/polygons.json', import.meta.url), 'utf8'),
  );
  const annotations = [
    {
      id: 11,
      image_id: 1,
      category_id: 18,
      iscrowd: 0,
      area: 900,
      bbox: [10, 10, 50, 48],
      segmentation: merged.polygons,
    },
    {
      id: 12,
      image_id: 1,
      category_id: 17,
      iscrowd: 0,
      area: 30,
      bbox: [0, 0, 6, 5],
      segmentation: [[0, 0, 6, 0, 6, 5, 0, 5]],
    },
    {
      id: 15,
      image_id: 1,
      category_id: 18,
      iscrowd: 0,
      area: 20,
      bbox: [70, 50, 5, 4],
      segmentation: [[70, 50, 75, 50, 75, 54, 70, 54]],
    },
    {
      id: 13,
      image_id: 2,
      category_id: 17,
      iscrowd: 0,
      area: 9,
      bbox: [0, 0, 3, 3],
      segmentation: { counts: merged.counts, size: [64, 80] },
    },
    {
      id: 14,
      image_id: 2,
      category_id: 18,
      iscrowd: 1,
      area: 5000,
      bbox: [0, 0, 80, 64],
      segmentation: { counts: merged.runs, size: [64, 80] },
    },
  ];
  async function build(where: string, images: string) {
    for (const name of ['one', 'two', 'three'])
      await folder.picture(`${images}/${name}.jpg`, { width: 80, height: 64 });
    return folder.put(where, JSON.stringify({ ...base(), annotations }));
  }
  const area = merged.runs.filter((_: number, i: number) => i % 2).reduce((sum: number, run: number) => sum + run, 0);

  it('takes the largest object of each picture, masks as pycocotools makes them', async () => {
    const file = await build('annotations/instances_val2017.json', 'val2017');
    const dataset = await readDataset(file);
    expect(dataset.layout).toBe('coco');
    expect(dataset.samples.map(({ label }) => label)).toEqual(['dog', 'cat']);
    expect(ids(dataset.samples)).toEqual(['../val2017/one.jpg', '../val2017/two.jpg']);
    expect(dataset.samples[0].box).toEqual([10, 10, 50, 48]);
    for (const sample of dataset.samples) expect(await objectPixels(sample, { width: 80, height: 64 })).toBe(area);
    expect(dataset.notes).toEqual([
      '1 images of instances_val2017.json have no object and are left out',
      '1 crowd annotations are left out: they are no single object',
    ]);
  });
  it('takes every object, or all of one class as one', async () => {
    await build('_annotations.coco.json', '.');
    const each = await readDataset(folder.root, { objects: 'each' });
    expect(ids(each.samples)).toEqual(['one.jpg#11', 'one.jpg#12', 'one.jpg#15', 'two.jpg']);
    expect(each.samples[1]).toMatchObject({ label: 'cat', group: 'one.jpg', box: [0, 0, 6, 5] });
    expect(await objectPixels(each.samples[1], { width: 80, height: 64 })).toBe(30);
    const whole = await readDataset(folder.root, { objects: 'class' });
    expect(await objectPixels(whole.samples[0], { width: 80, height: 64 })).toBe(area + 20);
    expect(whole.samples[0].box).toEqual([10, 10, 65, 48]);
  });
  it('joins polygons with run lengths of the same class', async () => {
    await folder.picture('one.jpg', { width: 80, height: 64 });
    const mixed = [annotations[3], { ...annotations[1], image_id: 2, id: 99 }].map((annotation) => ({
      ...annotation,
      image_id: 1,
    }));
    const file = folder.put('x.json', JSON.stringify({ ...base(), annotations: mixed }));
    const { samples } = await readDataset(file, { objects: 'class' });
    expect(samples[0].mask?.kind).toBe('rle');
    expect(await objectPixels(samples[0], { width: 80, height: 64 })).toBe(area + 30);
  });
  it('says what is wrong with a file or an annotation', async () => {
    const broken = folder.put('a.json', '{"images": [{"id": 1}], "annotations": [], "categories": []}');
    await expect(readDataset(broken)).rejects.toThrow('images.0.file_name');
    await folder.picture('one.jpg', { width: 80, height: 64 });
    const bad = folder.put(
      'b.json',
      JSON.stringify({ ...base(), annotations: [{ id: 5, image_id: 1 }, annotations[0]] }),
    );
    expect((await readDataset(bad)).problems).toMatchObject([{ sample: 'annotation 5' }]);
  });
});

describe('LabelMe', () => {
  const json = (shapes: unknown[], more = {}) =>
    JSON.stringify({
      version: '5.4.1',
      flags: {},
      shapes,
      imagePath: 'a.jpg',
      imageData: null,
      imageHeight: 16,
      imageWidth: 24,
      ...more,
    });
  const shape = (label: string, points: number[][], shape_type = 'polygon', more = {}) => ({
    label,
    points,
    group_id: null,
    shape_type,
    flags: {},
    ...more,
  });
  it('reads shapes of every kind that has an area', async () => {
    await folder.picture('a.jpg');
    await folder.picture('b.png');
    await folder.picture('c.jpg');
    const maskPng = await sharp(Uint8Array.from([255, 0, 255, 255]), { raw: { width: 2, height: 2, channels: 1 } })
      .png()
      .toBuffer();
    folder.put(
      'a.json',
      json([
        shape('cat', [
          [2, 2],
          [9, 2],
          [9, 7],
          [2, 7],
        ]),
        shape('cat', [
          [12, 3],
          [15, 3],
          [15, 4],
          [12, 4],
        ]),
        shape(
          'toy',
          [
            [0, 0],
            [1, 1],
          ],
          'rectangle',
        ),
      ]),
    );
    folder.put(
      'b.json',
      json(
        [
          shape(
            'ball',
            [
              [10, 8],
              [10, 12],
            ],
            'circle',
          ),
        ],
        { imagePath: '..\\elsewhere\\b.png' },
      ),
    );
    folder.put(
      'c.json',
      json(
        [
          shape(
            'spot',
            [
              [20, 10],
              [21, 11],
            ],
            'mask',
            { mask: maskPng.toString('base64') },
          ),
          shape(
            'spot',
            [
              [0, 0],
              [5, 5],
            ],
            'line',
          ),
        ],
        { imagePath: 'c.jpg' },
      ),
    );
    folder.put('other.json', '{"some": "settings"}');
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('labelme');
    expect(dataset.samples.map(({ id, label }) => [id, label])).toEqual([
      ['a.jpg', 'cat'],
      ['b.png', 'ball'],
      ['c.jpg', 'spot'],
    ]);
    expect(await objectPixels(dataset.samples[0])).toBe(8 * 6 + 4 * 2);
    expect(await objectPixels(dataset.samples[1])).toBe(61);
    expect(await objectPixels(dataset.samples[2])).toBe(3);
    expect(dataset.notes).toContain("1 JSON files are not LabelMe's and are left out");
    const each = await readDataset(folder.root, { objects: 'each' });
    expect(ids(each.samples)).toEqual(['a.jpg#cat', 'a.jpg#toy', 'b.png', 'c.jpg']);
  });
  it('keeps groups apart, unpacks embedded pictures, takes flags as classes', async () => {
    const picture = readFileSync(await folder.picture('gone/x.jpg'));
    folder.put(
      'in/e.json',
      json(
        [
          shape(
            'cat',
            [
              [0, 0],
              [20, 0],
              [20, 14],
            ],
            'polygon',
            { group_id: 1 },
          ),
          shape(
            'cat',
            [
              [0, 0],
              [2, 0],
              [2, 2],
            ],
            'polygon',
            { group_id: 2 },
          ),
        ],
        { imagePath: 'nowhere.jpg', imageData: picture.toString('base64') },
      ),
    );
    folder.put('in/f.json', json([], { imagePath: 'missing.jpg' }));
    await folder.picture('in/g.jpg');
    folder.put('in/g.json', json([], { imagePath: 'g.jpg', flags: { dog: false, cat: true } }));
    const dataset = await readDataset(join(folder.root, 'in'));
    expect(dataset.samples.map(({ id, label }) => [id, label])).toEqual([
      ['e.json', 'cat'],
      ['g.jpg', 'cat'],
    ]);
    expect(readFileSync(dataset.samples[0].image).equals(picture)).toBe(true);
    expect(dataset.problems).toMatchObject([{ sample: 'f.json', problem: 'missing-file' }]);
  });
});

describe('PASCAL VOC', () => {
  const object = (name: string, [x0, y0, x1, y1]: number[], part = '') =>
    `<object><name>${name}</name>${part}<bndbox><xmin>${x0}</xmin><ymin>${y0}</ymin><xmax>${x1}</xmax><ymax>${y1}</ymax></bndbox></object>`;
  const colourOf = (index: number): [number, number, number] => {
    const colour = vocColour(index);
    return [colour >> 16, (colour >> 8) & 255, colour & 255];
  };
  it('takes the largest annotated object from the object masks, borders unknown', async () => {
    await folder.picture('JPEGImages/2007_000032.jpg');
    await folder.picture('JPEGImages/2007_000033.jpg');
    folder.put(
      'Annotations/2007_000032.xml',
      `<annotation><filename>x</filename>${object('cat', [1, 1, 4, 4])}${object('dog &amp; co', [5, 1, 24, 16], '<part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>')}</annotation>`,
    );
    await folder.colours('SegmentationObject/2007_000032.png', (x) =>
      colourOf(x < 4 ? 1 : x === 4 ? 255 : x < 20 ? 2 : 0),
    );
    folder.put('ImageSets/Segmentation/val.txt', '2007_000032\n');
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('voc');
    expect(dataset.samples).toMatchObject([
      { id: 'JPEGImages/2007_000032.jpg', label: 'dog & co', split: 'val', box: [4, 0, 20, 16] },
    ]);
    expect(dataset.notes).toEqual(['1 pictures without a segmentation are left out']);
    expect(await objectPixels(dataset.samples[0])).toBe(15 * 16);
    const mask = dataset.samples[0].mask;
    const loaded = mask && (await loadMask(mask, { width: 24, height: 16, path: dataset.samples[0].image }));
    expect(loaded?.mask.ignore?.filter(Boolean)).toHaveLength(16);
    const each = await readDataset(folder.root, { objects: 'each' });
    expect(ids(each.samples)).toEqual(['JPEGImages/2007_000032.jpg#1', 'JPEGImages/2007_000032.jpg#2']);
  });
  it('reads class masks, with or without annotations, and the usual nesting', async () => {
    const root = 'VOCdevkit/VOC2012';
    await folder.picture(`${root}/JPEGImages/a.jpg`);
    await folder.colours(`${root}/SegmentationClass/a.png`, (x) => colourOf(x < 3 ? 8 : x < 12 ? 12 : 0));
    const dataset = await readDataset(folder.root);
    expect(dataset.layout).toBe('voc');
    expect(dataset.samples).toMatchObject([{ id: 'VOCdevkit/VOC2012/JPEGImages/a.jpg', label: 'dog' }]);
    expect(await objectPixels(dataset.samples[0])).toBe(9 * 16);
  });
  it('without segmentation gives boxes', async () => {
    await folder.picture('JPEGImages/a.jpg');
    folder.put('Annotations/a.xml', `<annotation>${object('bird', [2, 3, 10, 9])}</annotation>`);
    const { samples } = await readDataset(folder.root);
    expect(samples).toMatchObject([{ label: 'bird', box: [1, 2, 9, 7] }]);
    expect(samples[0].mask).toBeUndefined();
  });
});

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
    expect(one.samples.map(maskName)).toEqual([undefined, 'bottle/ground_truth/broken_large/000_mask.png', undefined]);
  });
});

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
