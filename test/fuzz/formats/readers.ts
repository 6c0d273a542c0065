import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '../../../src/contracts/random.ts';
import { checkDataset } from '../../../src/dataset/check/check.ts';
import { readDataset } from '../../../src/dataset/index.ts';
import type { FuzzInput, FuzzTarget } from '../fuzz.ts';
import { disturb, disturbBytes, disturbText, oddNumber, oddText } from '../grammar.ts';

const width = 24;
const height = 16;
const raw = (channels: 1 | 3, at: (i: number) => number) =>
  sharp(
    Uint8Array.from({ length: width * height * channels }, (_, i) => at(i)),
    { raw: { width, height, channels } },
  );
const picture = await raw(3, (i) => (i * 37) & 255)
  .jpeg()
  .toBuffer();
const mask = await raw(1, (i) => (i % width < 8 ? 255 : 0))
  .png()
  .toBuffer();
const trimap = await raw(1, (i) => (i % width < 8 ? 1 : i % width < 10 ? 3 : 2))
  .png()
  .toBuffer();
const npy = Buffer.concat([
  Buffer.from(
    "\x93NUMPY\x01\x00\x46\x00{'descr': '|u1', 'fortran_order': False, 'shape': (16, 24), }        \n",
    'latin1',
  ),
  Buffer.alloc(width * height, 1),
]);

const polygon = (random: Random) =>
  Array.from({ length: 2 * random.integer(1, 8) }, () =>
    random.uniform() < 0.9 ? random.integer(-5, 30) : oddNumber(random),
  );
const json = (value: unknown, random: Random) =>
  random.uniform() < 0.8 ? JSON.stringify(disturb(value, random)) : disturbText(JSON.stringify(value), random);
const maybe = (bytes: Uint8Array, random: Random) => (random.uniform() < 0.3 ? disturbBytes(bytes, random) : bytes);

/** One way to make a dataset of each layout, whole; what is disturbed in it is up to chance. */
const grammars: Record<string, (random: Random) => FuzzInput> = {
  coco: (random) => ({
    'one.jpg': picture,
    'coco.json': json(
      {
        images: [{ id: 1, file_name: 'one.jpg', width, height }],
        categories: [{ id: 7, name: oddText(random) }],
        annotations: [
          {
            id: 1,
            image_id: 1,
            category_id: 7,
            bbox: [1, 2, 3, 4],
            area: 12,
            iscrowd: 0,
            segmentation: [polygon(random), polygon(random)],
          },
          {
            id: 2,
            image_id: 1,
            category_id: 7,
            segmentation: { counts: [oddNumber(random), 5, 379 - random.integer(0, 5)], size: [height, width] },
          },
        ],
      },
      random,
    ),
  }),
  labelme: (random) => ({
    'one.jpg': picture,
    'one.json': json(
      {
        shapes: [
          {
            label: oddText(random),
            points: [
              [1, 1],
              [9, 2],
              [oddNumber(random), oddNumber(random)],
            ],
            shape_type: random.pick(['polygon', 'rectangle', 'circle', 'line']),
          },
          {
            label: 'b',
            points: [
              [0, 0],
              [23, 15],
            ],
            shape_type: 'mask',
            mask: Buffer.from(maybe(mask, random)).toString('base64'),
          },
        ],
        flags: { a: true },
        imagePath: random.pick(['one.jpg', 'one.json', 'gone.jpg', oddText(random)]),
        imageData: random.uniform() < 0.5 ? picture.toString('base64') : null,
        imageWidth: width,
        imageHeight: height,
      },
      random,
    ),
  }),
  voc: (random) => ({
    'JPEGImages/one.jpg': picture,
    'SegmentationObject/one.png': maybe(trimap, random),
    'ImageSets/Segmentation/val.txt': disturbText('one\n', random),
    'Annotations/one.xml': disturbText(
      `<annotation><object><name>${random.uniform() < 0.5 ? 'cat' : oddText(random)}</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>${oddNumber(random)}</xmax><ymax>9</ymax></bndbox></object></annotation>`,
      random,
    ),
  }),
  manifest: (random) => ({
    'one.jpg': maybe(picture, random),
    'one.png': maybe(mask, random),
    'manifest.csv': disturbText(
      `image,mask,label,target,split,group,scenario,sample,box\none.jpg,one.png,cat,${oddNumber(random)},train,g,,"a,b",1 2 3 4\none.jpg,,${oddText(random)},1|2,,,grey,x,\n`,
      random,
    ),
  }),
  'manifest.jsonl': (random) => ({
    'one.jpg': picture,
    'm.npy': maybe(npy, random),
    'manifest.jsonl': [
      {
        image: 'one.jpg',
        mask: {
          kind: 'polygons',
          polygons: [polygon(random)],
          circles: [[oddNumber(random), 8, oddNumber(random)]],
          rule: random.pick(['coco', 'labelme']),
          width,
          height,
        },
      },
      {
        image: 'one.jpg',
        sample: 'b',
        mask: { kind: 'rle', counts: random.pick(['8d0', '0'.repeat(50), oddText(random)]), width, height },
        target: [1, oddNumber(random)],
      },
      {
        image: 'one.jpg',
        sample: 'c',
        mask: {
          kind: 'file',
          path: 'm.npy',
          encoding: random.pick(['0/1', '0/255', 'trimap', 'palette', 'imagenet-s']),
          insist: random.uniform() < 0.5,
          values: [1],
        },
      },
    ]
      .map((row) => json(row, random))
      .join('\n'),
  }),
  'image-folder': (random) => ({
    [`cat/${oddText(random).replaceAll(/[/\0]/g, '_').slice(0, 60)}.jpg`]: picture,
    'cat/a.jpg': maybe(picture, random),
    'masks/cat/a.png': maybe(random.pick([mask, trimap]), random),
    'dog/b.jpg': picture,
    'masks/dog/b.npy': maybe(npy, random),
  }),
  'imagenet-e': (random) => ({
    'labels.txt': disturbText('a\t151\nb\t285\tEgyptian cat\n', random),
    'ori/a.JPEG': picture,
    'full/a.JPEG': maybe(picture, random),
    'size@0.05/b.png': picture,
    'masks/a.png': maybe(mask, random),
  }),
  'ximagenet-12': (random) => ({
    'image/n02085936/a.JPEG': picture,
    'blur_background/n02085936/a.JPEG': picture,
    'image_r/n02085936/a.JPEG': maybe(picture, random),
    'masks/n02085936/a.png': maybe(mask, random),
    ...(random.uniform() < 0.3 && { 'render.json': '{}' }),
  }),
  'imagenet-s': (random) => ({
    'validation/n02085936/a.JPEG': picture,
    'validation-segmentation/n02085936/a.png': maybe(trimap, random),
  }),
  'oxford-pet': (random) => ({
    'images/Persian_1.jpg': picture,
    'annotations/trimaps/Persian_1.png': maybe(trimap, random),
    'annotations/test.txt': disturbText('Persian_1 1 1 1\n', random),
  }),
  'mvtec-ad': (random) => ({
    'train/good/0.png': picture,
    'test/dent/1.png': maybe(picture, random),
    'ground_truth/dent/1_mask.png': maybe(mask, random),
  }),
};

/** Every reader and every way a mask is written, from the folder on disk to the findings of `dataset check`. */
export const readersTarget: FuzzTarget = {
  name: 'readers',
  make: (random) => grammars[random.pick(Object.keys(grammars))](random),
  async feed(input) {
    const root = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-'));
    try {
      for (const [name, content] of Object.entries(input)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), content);
      }
      const dataset = await readDataset(root, { objects: 'class' });
      const { problems, warnings } = await checkDataset(dataset, { concurrency: 1 });
      for (const { message, file } of [...problems, ...warnings])
        if (
          typeof message !== 'string' ||
          !message ||
          message.length > 600 ||
          message.includes('\n    at ') ||
          typeof file !== 'string'
        )
          throw new Error(`a finding that is none: ${message}`);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
