import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../test/fixtures/dataset/files.ts';
import { checkDataset } from './check/check.ts';
import { readDataset } from './read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

const onUnix = process.platform !== 'win32';
const asRoot = process.getuid?.() === 0;

describe('what is no file', () => {
  it.runIf(onUnix)('is refused by name: a pipe, a device, a folder', async () => {
    await folder.picture('good.jpg');
    execFileSync('mkfifo', [join(folder.root, 'pipe.jpg')]);
    folder.put('manifest.csv', 'image,mask\ngood.jpg,pipe.jpg\npipe.jpg,\n/dev/zero,\ngone.jpg,\n.,\n');
    const report = await checkDataset(await readDataset(folder.root));
    expect(report.problems.map(({ file, problem, message }) => [file, problem, message])).toEqual([
      ['pipe.jpg', 'mask-unreadable', 'mask is a named pipe, not a file'],
      ['pipe.jpg', 'unreadable-file', 'the file is a named pipe, not a file'],
      ['/dev/zero', 'unreadable-file', 'the file is a device, not a file'],
      ['gone.jpg', 'missing-file', 'the file does not exist'],
      ['', 'unreadable-file', 'the file is a folder, not a file'],
    ]);
    await expect(readDataset(join(folder.root, 'pipe.jpg'))).rejects.toThrow(/a folder or a file/);
  });

  it.runIf(onUnix)('is reported where a folder holds it: links to nothing, pipes', async () => {
    await folder.picture('cat/1.jpg');
    symlinkSync(join(folder.root, 'nowhere.jpg'), join(folder.root, 'cat', '2.jpg'));
    execFileSync('mkfifo', [join(folder.root, 'cat', '3.jpg')]);
    const { samples, problems } = await readDataset(folder.root);
    expect(ids(samples)).toEqual(['cat/1.jpg']);
    expect(problems.map(({ sample, problem }) => [sample, problem])).toEqual([
      ['cat/2.jpg', 'missing-file'],
      ['cat/3.jpg', 'unreadable-file'],
    ]);
  });

  it.runIf(onUnix && !asRoot)('unreadable is not missing', async () => {
    await folder.picture('a.jpg');
    await folder.picture('dog/1.jpg');
    await folder.picture('cat/1.jpg');
    folder.put('manifest.csv', 'image\na.jpg\n');
    chmodSync(join(folder.root, 'a.jpg'), 0);
    const report = await checkDataset(await readDataset(folder.root));
    expect(report.problems).toMatchObject([
      { problem: 'unreadable-file', message: expect.stringContaining('permission denied') },
    ]);
    chmodSync(join(folder.root, 'cat'), 0);
    const { problems } = await readDataset(folder.root, { layout: 'image-folder' });
    expect(problems).toMatchObject([{ sample: 'cat', problem: 'unreadable-file' }]);
    chmodSync(join(folder.root, 'cat'), 0o755);
    await expect(readDataset(join(folder.root, 'manifest.csv', 'x'))).rejects.toThrow(/cannot be read|existing/);
  });
});

describe('one bad annotation costs its sample and one line with its file', () => {
  const shape = (points: number[][], extra = {}) => ({ label: 'cat', points, shape_type: 'polygon', ...extra });
  const square = [
    [2, 2],
    [9, 2],
    [9, 9],
    [2, 9],
  ];
  const labelme = (name: string, shapes: unknown, size = { imageWidth: 24, imageHeight: 16 }) =>
    folder.put(`${name}.json`, JSON.stringify({ shapes, imagePath: `${name}.jpg`, flags: {}, ...size }));

  it('of LabelMe', async () => {
    const many = Array.from({ length: 150_000 }, (_, i) => [
      12 + 6 * Math.cos(i / 20_000),
      8 + 6 * Math.sin(i / 20_000),
    ]);
    const hugePng = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'base64').toString(
      'base64',
    );
    labelme('far', [
      shape([
        [0, 0],
        [1e9, 0],
        [1e9, 1e9],
      ]),
    ]);
    labelme('many', [shape(many)]);
    labelme('size', [shape(square)], { imageWidth: 1_000_000, imageHeight: 1_000_000 });
    labelme(
      'mask',
      [
        shape(
          [
            [0, 0],
            [9, 9],
          ],
          { shape_type: 'mask', mask: hugePng },
        ),
      ],
      { imageWidth: 900_000_000, imageHeight: 900_000_000 },
    );
    labelme('none', [
      shape([
        [0, 0],
        [Number.NaN, 1],
      ]),
    ]);
    labelme('good', [shape(square)]);
    folder.put('torn.json', '{"shapes": [');
    for (const name of ['far', 'many', 'size', 'mask', 'none', 'good', 'torn']) await folder.picture(`${name}.jpg`);
    const dataset = await readDataset(folder.root, { layout: 'labelme' });
    const report = await checkDataset(dataset);
    expect(report.problems.map(({ file }) => file).sort()).toEqual([
      'far.jpg',
      'mask.json',
      'none.json',
      'size.jpg',
      'torn.json',
    ]);
    expect(report.problems.every(({ message }) => message.length < 200)).toBe(true);
    expect(await objectPixels(dataset.samples[ids(dataset.samples).indexOf('good.jpg')])).toBe(64);
    expect(await objectPixels(dataset.samples[ids(dataset.samples).indexOf('many.jpg')])).toBeGreaterThan(50);
  });

  it('of VOC', async () => {
    const xml = (inside: string) => `<annotation><object><name>cat</name>${inside}</object></annotation>`;
    const box = '<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>4</xmax><ymax>4</ymax></bndbox>';
    folder.put('Annotations/open.xml', '<annotation>'.repeat(20_000));
    folder.put('Annotations/torn.xml', `<annotation>${'<object><name>x'.repeat(20_000)}`);
    folder.put('Annotations/sign.xml', xml(`<pose>&#x110000;</pose>${box}`).replace('cat', '&#x110000;'));
    folder.put('Annotations/word.xml', xml(box.replace('<xmin>1', '<xmin>one')));
    folder.put('Annotations/good.xml', xml(box));
    for (const name of ['open', 'torn', 'sign', 'word', 'good']) await folder.picture(`JPEGImages/${name}.jpg`);
    const { samples, problems } = await readDataset(folder.root);
    expect(ids(samples)).toEqual(['JPEGImages/good.jpg']);
    expect(problems.map(({ file, problem }) => [file.slice(folder.root.length + 1), problem])).toEqual(
      ['open', 'sign', 'torn', 'word'].map((name) => [`Annotations/${name}.xml`, 'annotation']),
    );
  });

  it('of COCO', async () => {
    const names = ['far', 'negative', 'vast', 'good', 'broken'];
    const images = names.map((name, id) => ({ id, file_name: `${name}.jpg`, width: 24, height: 24 }));
    const annotation = (id: number, segmentation: unknown, more = {}) => ({
      id,
      image_id: id,
      category_id: 1,
      bbox: [0, 0, 9, 9],
      segmentation,
      ...more,
    });
    const file = folder.put(
      'coco.json',
      JSON.stringify({
        images: images.map((image) => (image.id === 2 ? { ...image, width: 40_000, height: 40_000 } : image)),
        categories: [{ id: 1, name: 'cat' }, null],
        annotations: [
          annotation(0, [[0, 0, 1e9, 0, 1e9, 1e9]]),
          annotation(1, { counts: [10, -5, 571], size: [24, 24] }),
          annotation(2, [[0, 0, 9, 0, 9, 9]]),
          annotation(3, [[2, 2, 9, 2, 9, 9, 2, 9]]),
          annotation(4, 'nonsense'),
        ],
      }),
    );
    for (const name of names) await folder.picture(`${name}.jpg`, { width: 24, height: 24 });
    const report = await checkDataset(await readDataset(file));
    expect(report.usable).toBe(1);
    expect(report.problems.map(({ problem, message }) => [problem, message])).toEqual([
      ['annotation', expect.stringContaining('category number 2')],
      ['annotation', expect.stringContaining('annotation 4')],
      ['mask-unreadable', expect.stringContaining('1000000000')],
      ['mask-unreadable', expect.stringContaining('-5')],
      ['mask-size', 'mask is said to be for a picture of 40000 × 40000, this one is 24 × 24'],
    ]);
  });
});

it('LabelMe: the picture inside, or one of the same name, where the path leads to none', async () => {
  const { default: sharp } = await import('sharp');
  const inside = await sharp({ create: { width: 24, height: 16, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const file = (more: object) => JSON.stringify({ shapes: [], flags: {}, imageWidth: 24, imageHeight: 16, ...more });
  folder.put('own.json', file({ imagePath: 'own.json', imageData: inside.toString('base64') }));
  folder.put('text.txt', 'no picture');
  folder.put('stem.json', file({ imagePath: 'text.txt', imageData: inside.toString('base64') }));
  await folder.picture('stem.jpg');
  folder.put('false.json', file({ imagePath: 'gone.jpg', imageData: Buffer.from('#!/bin/sh').toString('base64') }));
  const { samples, problems } = await readDataset(folder.root, { layout: 'labelme' });
  expect(samples.map(({ id }) => id)).toEqual(['own.json', 'stem.jpg']);
  expect(samples[0].image).toMatch(/sceneshift-labelme-[^/\\]+[/\\][\da-f-]{36}\.png$/);
  expect(problems).toMatchObject([{ sample: 'false.json', problem: 'missing-file' }]);
  const again = await readDataset(folder.root, { layout: 'labelme' });
  expect(again.samples[0].image).not.toBe(samples[0].image);
});
