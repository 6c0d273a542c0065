import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';
import { checkDataset } from './check.ts';
import type { DatasetReport } from './report.ts';

const folder = createFolder();
afterAll(() => folder.remove());

/** A PNG whose head promises what its body does not hold. */
function pngHead(width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(name, 'latin1'), body, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a folder of bad files', () => {
  let report: DatasetReport;
  beforeAll(async () => {
    const at = (path: string) => `bad/${path}`;
    const good = await folder.picture(at('cat/good.jpg'), { width: 60, height: 40 });
    await folder.mask(at('masks/cat/good.png'), (x) => (x < 20 ? 255 : 0), { width: 60, height: 40 });
    folder.put(at('cat/zero.jpg'), '');
    folder.put(at('cat/text.jpg'), 'this is a text');
    folder.put(at('cat/truncated.jpg'), readFileSync(good).subarray(0, 400));
    folder.put(at('cat/huge.png'), pngHead(20_000, 20_000));
    await folder.picture(at('cat/one.png'), { width: 1, height: 1 });
    mkdirSync(join(folder.root, 'bad/dog'), { recursive: true });
    copyFileSync(good, join(folder.root, 'bad/dog/again.jpg'));
    const { data, info } = await sharp(good).raw().toBuffer({ resolveWithObject: true });
    folder.put(at('dog/pixels.png'), await sharp(data, { raw: info }).png().toBuffer());
    folder.put(at('dog/cmyk.jpg'), await sharp(data, { raw: info }).negate().toColourspace('cmyk').jpeg().toBuffer());
    folder.put(
      at('dog/exif.jpg'),
      await sharp(data, { raw: info }).blur(2).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    );
    await folder.mask(at('masks/dog/exif.png'), (x) => (x < 20 ? 255 : 0), { width: 40, height: 60 });
    const half = sharp(data, { raw: info }).blur(3).withMetadata({ orientation: 3 });
    folder.put(at('dog/half-turn.jpg'), await half.jpeg().toBuffer());
    await folder.mask(at('masks/dog/half-turn.png'), (x) => (x < 20 ? 255 : 0), { width: 60, height: 40 });
    const quarter = sharp(data, { raw: info }).blur(4).withMetadata({ orientation: 8 });
    folder.put(at('dog/lying.jpg'), await quarter.jpeg().toBuffer());
    await folder.mask(at('masks/dog/lying.png'), (x) => (x < 20 ? 255 : 0), { width: 60, height: 40 });
    const wide = Uint16Array.from({ length: 600 }, (_, i) => i * 100);
    folder.put(
      at('dog/sixteen.png'),
      await sharp(wide, { raw: { width: 30, height: 20, channels: 1 } })
        .toColourspace('grey16')
        .png()
        .toBuffer(),
    );
    for (const name of ['size', 'empty', 'inverted', 'scaled'])
      await folder.picture(at(`dog/${name}.jpg`), { width: 60, height: 40 });
    await folder.mask(at('masks/dog/size.png'), (x) => (x < 20 ? 255 : 0), { width: 50, height: 50 });
    await folder.mask(at('masks/dog/empty.png'), () => 0, { width: 60, height: 40 });
    await folder.mask(at('masks/dog/inverted.png'), (x, y) => (x > 15 && x < 45 && y > 10 && y < 30 ? 0 : 255), {
      width: 60,
      height: 40,
    });
    await folder.mask(at('masks/dog/scaled.png'), (x) => (x < 20 ? 255 : 0), { width: 120, height: 80 });
    report = await checkDataset(await readDataset(join(folder.root, 'bad')));
  });

  it('names every file that cannot be used, with its own reason and what to do', () => {
    expect(report.problems.map(({ file, problem }) => [file, problem])).toEqual([
      ['cat/huge.png', 'too-large'],
      ['cat/one.png', 'too-small'],
      ['cat/text.jpg', 'not-an-image'],
      ['cat/truncated.jpg', 'truncated'],
      ['cat/zero.jpg', 'empty-file'],
      ['masks/dog/size.png', 'mask-size'],
    ]);
    expect(new Set(report.problems.map(({ message }) => message)).size).toBe(6);
    for (const { message, hint, file } of report.problems) {
      expect(message).not.toContain(folder.root);
      expect(message).not.toContain(file);
      expect(hint.length).toBeGreaterThan(5);
    }
    expect([report.samples, report.usable]).toEqual([17, 11]);
  });
  it('doubts what can be used but may be wrong', () => {
    const doubts = report.warnings.filter(({ problem }) => problem !== 'mask-missing');
    expect(doubts.map(({ file, problem }) => [file, problem])).toEqual([
      ['masks/dog/empty.png', 'mask-empty'],
      ['masks/dog/exif.png', 'mask-rotated'],
      ['masks/dog/half-turn.png', 'mask-orientation'],
      ['masks/dog/inverted.png', 'mask-inverted'],
      ['masks/dog/scaled.png', 'mask-resampled'],
    ]);
    expect(report.warnings.filter(({ problem }) => problem === 'mask-missing').map(({ file }) => file)).toEqual([
      'dog/again.jpg',
      'dog/cmyk.jpg',
      'dog/pixels.png',
      'dog/sixteen.png',
    ]);
  });
  it('finds pictures that are there twice, by bytes and by pixels', () => {
    expect(report.duplicates).toEqual([
      { same: 'bytes', files: ['cat/good.jpg', 'dog/again.jpg'], labels: ['cat', 'dog'] },
      { same: 'pixels', files: ['cat/good.jpg', 'dog/again.jpg', 'dog/pixels.png'], labels: ['cat', 'dog'] },
    ]);
  });
  it('names images that the two ways of decoding read differently', () => {
    expect(
      Object.fromEntries(report.decodeDifferences.map(({ file, differences }) => [file, differences])),
    ).toMatchObject({
      'dog/cmyk.jpg': ['cmyk'],
      'dog/exif.jpg': ['orientation'],
      'dog/sixteen.png': ['sixteen-bit-grey'],
    });
  });
});

describe('a good dataset', () => {
  it('is counted, measured and found without problem', async () => {
    const lines = ['image,mask,label,target,split'];
    for (let i = 0; i < 12; i++) {
      const label = i % 3 ? 'beagle' : 'pug';
      await folder.picture(`good/images/${i}.jpg`, { width: 40 + i, height: 30 });
      await folder.mask(
        `good/masks/${i}.png`,
        (x) => (x < 4 * (i + 1) - 3 ? 1 : x < 4 * (i + 1) - 1 && x < 38 ? 3 : 2),
        { width: 40 + i, height: 30 },
      );
      lines.push(`images/${i}.jpg,masks/${i}.png,${label},${label === 'pug' ? 254 : 162},${i < 9 ? 'train' : 'val'}`);
    }
    const path = folder.put('good/manifest.csv', lines.join('\n'));
    const done: number[] = [];
    const report = await checkDataset(await readDataset(path), {
      onProgress: (count) => done.push(count),
      concurrency: 3,
    });
    expect(report).toMatchObject({
      layout: 'manifest',
      samples: 12,
      usable: 12,
      classes: [
        { label: 'beagle', samples: 8, withMask: 8 },
        { label: 'pug', samples: 4, withMask: 4 },
      ],
      splits: { train: 9, val: 3 },
      scenarios: {},
      images: {
        files: 12,
        formats: { jpeg: 12 },
        width: { min: 40, median: 45.5, max: 51 },
        height: { min: 30, median: 30, max: 30 },
      },
      masks: { found: 12, usable: 12, missing: 0, encoding: 'trimap', encodings: { trimap: 12 }, border: 'ignore' },
      duplicates: [],
      imagenet: { known: 2, ambiguous: [], unknown: [] },
      problems: [],
      warnings: [],
      notes: [],
    });
    expect(report.masks.share?.min).toBeCloseTo(3 / 40, 10);
    expect(done).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    const strict = await checkDataset(await readDataset(path), { border: 'background' });
    expect(strict.masks.share?.min).toBeCloseTo(1 / 40, 10);
  });
  it('doubts a target that contradicts a name of ImageNet', async () => {
    await folder.picture('targets/a.jpg');
    const path = folder.put('targets/m.csv', 'image,label,target\na.jpg,pug,3\nmissing.jpg,pug,254\n');
    const report = await checkDataset(await readDataset(path));
    expect(report.warnings).toMatchObject([
      { problem: 'target', message: "label 'pug' is ImageNet's 254, the target says 3" },
    ]);
    expect(report.problems).toMatchObject([{ file: 'missing.jpg', problem: 'missing-file' }]);
  });
});
