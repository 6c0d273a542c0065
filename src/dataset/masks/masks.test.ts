import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { BorderPolicy, MaskSource } from '../../contracts/sample.ts';
import { datasetEncoding, ownEncoding } from './encoding.ts';
import { loadMask } from './load.ts';
import { lookAt, type MaskLook } from './look.ts';
import { decodePng } from './png.ts';
import { readRawMask } from './raw.ts';
import { vocColour } from './voc-colours.ts';

interface Case {
  name: string;
  extension: string;
  encoding: string;
  file: string;
  size: [number, number];
  object: number[];
  border: number[];
}
// Made by Pillow, OpenCV and NumPy; see make-masks.py beside it.
const fixture: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/dataset/masks.json', import.meta.url), 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'sceneshift-masks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const unroll = (runs: number[]) => runs.flatMap((run, i) => new Array<number>(run).fill(i % 2));
let files = 0;
function write(bytes: Uint8Array, extension = 'png'): string {
  const path = join(folder, `${files++}.${extension}`);
  writeFileSync(path, bytes);
  return path;
}
async function grey(width: number, height: number, at: (x: number, y: number) => number): Promise<string> {
  const data = Uint8Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width)));
  return write(
    await sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer(),
  );
}
const fileSource = (path: string, rest: Partial<Extract<MaskSource, { kind: 'file' }>> = {}): MaskSource => ({
  kind: 'file',
  path,
  ...rest,
});

describe('every encoding', () => {
  for (const item of fixture.cases)
    it(`${item.name}: ${item.encoding}`, async () => {
      const path = write(Buffer.from(item.file, 'base64'), item.extension);
      const [width, height] = item.size;
      const object = unroll(item.object);
      const border = unroll(item.border);
      const expected: Record<BorderPolicy, number[]> = {
        ignore: object.map((on, i) => (on || border[i] ? 255 : 0)),
        object: object.map((on, i) => (on || border[i] ? 255 : 0)),
        background: object.map((on) => (on ? 255 : 0)),
      };
      for (const policy of ['ignore', 'object', 'background'] as const) {
        const { mask, encoding } = await loadMask(fileSource(path), { width, height, path }, { border: policy });
        expect(encoding).toBe(item.encoding);
        // A lossy file keeps its shape, not every pixel of its outline.
        const wrong = expected[policy].filter((value, i) => value !== mask.data[i]).length;
        expect(wrong).toBeLessThanOrEqual(item.extension === 'jpg' ? 20 : 0);
        if (policy === 'ignore' && border.includes(1))
          expect([...(mask.ignore ?? [])]).toEqual(border.map((on) => on * 255));
        else expect(mask.ignore).toBeUndefined();
      }
    });
});

describe('PNG', () => {
  it('is decoded exactly, whatever its form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 19 }),
        fc.integer({ min: 1, max: 19 }),
        fc.constantFrom(1, 2, 3, 4),
        fc.boolean(),
        fc.boolean(),
        fc.integer(),
        async (width, height, channels, progressive, wide, seed) => {
          const count = width * height * channels;
          const most = wide ? 65535 : 255;
          const samples = Array.from(
            { length: count },
            (_, i) => Math.abs(Math.imul(seed + i, 2654435761)) % (most + 1),
          );
          const data = wide ? Uint16Array.from(samples) : Uint8Array.from(samples);
          const options = { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } };
          const space = channels < 3 ? (wide ? 'grey16' : 'b-w') : wide ? 'rgb16' : 'srgb';
          const picture = sharp(data, options).toColourspace(space);
          const bytes = await picture.png({ progressive, adaptiveFiltering: true }).toBuffer();
          const png = decodePng(bytes);
          expect([png.width, png.height, png.channels]).toEqual([width, height, channels]);
          expect([...png.data]).toEqual([...data]);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('that is cut short, damaged or something else says so', async () => {
    const path = await grey(40, 40, (x, y) => (x * y) % 251);
    const whole = readFileSync(path);
    const image = { width: 40, height: 40, path };
    const broken = async (bytes: Uint8Array) =>
      expect(loadMask(fileSource(write(bytes)), image)).rejects.toMatchObject({ problem: 'mask-unreadable' });
    for (const length of [0, 5, 20, 60, whole.length - 40]) await broken(whole.subarray(0, length));
    const damaged = Uint8Array.from(whole);
    damaged.fill(7, 60, 90);
    await broken(damaged);
    await broken(Buffer.from('this is a text'));
    await expect(loadMask(fileSource(join(folder, 'none.png')), image)).rejects.toMatchObject({
      problem: 'mask-missing',
    });
  });
  it('VOC colours are the development kit’s', () => {
    const known: [number, number][] = [
      [0, 0],
      [1, 0x800000],
      [2, 0x008000],
      [15, 0xc08080],
      [20, 0x004080],
      [255, 0xe0e0c0],
    ];
    for (const [index, colour] of known) expect(vocColour(index)).toBe(colour);
  });
});

describe('encoding of a dataset', () => {
  const look = (...levels: number[]): MaskLook => ({
    kind: 'grey',
    levels,
    many: false,
    clearShare: 1,
    soft: false,
    hasAlpha: false,
    alphaDecides: false,
  });
  it('is one for all, though single files would say another', () => {
    expect(datasetEncoding([look(1, 2, 3), look(1, 2), look(1)]).encoding).toBe('trimap');
    expect(datasetEncoding([look(1), look(0, 1), look(0)]).encoding).toBe('0/1');
    expect(datasetEncoding([look(0, 128, 255), look(0, 255), look(255)]).encoding).toBe('trimap');
    expect(datasetEncoding([look(0, 1), look(0, 2), look(0, 1, 255)]).encoding).toBe('class-index');
    expect(datasetEncoding([look(1, 2, 3), look(2), look(2), look(1, 2), look(0, 1)]).encoding).toBe('trimap');
    expect(datasetEncoding([look(0, 128), look(0, 128)]).encoding).toBe('class-index');
    expect(datasetEncoding([look(0)]).encoding).toBe('0/255');
  });
  it('names the files that differ', () => {
    const mixed = datasetEncoding([look(0, 1), look(0, 1), look(0, 255)]);
    expect(mixed.encoding).toBe('0/1');
    expect([...mixed.exceptions]).toEqual([['0/255', 1]]);
  });
  it('does not take a photograph for a mask', async () => {
    const noise = Uint8Array.from({ length: 48 * 48 * 3 }, (_, i) => Math.imul(i, 2654435761) >>> 24);
    const path = write(
      await sharp(noise, { raw: { width: 48, height: 48, channels: 3 } })
        .png()
        .toBuffer(),
    );
    expect(ownEncoding(lookAt(await readRawMask(path)))).toBeUndefined();
    await expect(loadMask(fileSource(path), { width: 48, height: 48, path })).rejects.toMatchObject({
      problem: 'mask-unreadable',
    });
  });
  it('is followed when a file is loaded, and left with a note where it cannot be', async () => {
    const allObject = await grey(9, 9, () => 1);
    await expect(
      loadMask(fileSource(allObject, { encoding: 'trimap' }), { width: 9, height: 9, path: allObject }),
    ).rejects.toMatchObject({ problem: 'mask-full' });
    const other = await grey(9, 9, (x) => (x < 3 ? 255 : 0));
    const { encoding, notes } = await loadMask(fileSource(other, { encoding: '0/1' }), {
      width: 9,
      height: 9,
      path: other,
    });
    expect(encoding).toBe('0/255');
    expect(notes.map(({ kind }) => kind)).toEqual(['encoding']);
  });
  it('`values` picks one object among several', async () => {
    const path = await grey(8, 4, (x) => (x < 2 ? 3 : x < 4 ? 5 : x < 6 ? 255 : 0));
    const source = fileSource(path, { encoding: 'class-index', values: [5] });
    const { mask } = await loadMask(source, { width: 8, height: 4, path });
    expect([...mask.data.subarray(0, 8)]).toEqual([0, 0, 255, 255, 255, 255, 0, 0]);
    expect([...(mask.ignore?.subarray(0, 8) ?? [])]).toEqual([0, 0, 0, 0, 255, 255, 0, 0]);
  });
  it('ImageNet-S ids are red + 256 · green, 1000 is unknown', async () => {
    const ids = [0, 700, 1000, 12];
    const data = Uint8Array.from(ids.flatMap((id) => [id % 256, id >> 8, 0]));
    const path = write(
      await sharp(data, { raw: { width: 4, height: 1, channels: 3 } })
        .png()
        .toBuffer(),
    );
    const source = fileSource(path, { encoding: 'imagenet-s', values: [700] });
    const { mask } = await loadMask(source, { width: 4, height: 1, path });
    expect([...mask.data]).toEqual([0, 255, 255, 0]);
    expect([...(mask.ignore ?? [])]).toEqual([0, 0, 255, 0]);
  });
});

describe('size and orientation', () => {
  const disc = (w: number, h: number) => (x: number, y: number) =>
    (x / w - 0.4) ** 2 + (y / h - 0.5) ** 2 < 0.05 ? 255 : 0;
  it('a mask one pixel off or a scaled copy is resampled, and said', async () => {
    for (const [w, h] of [
      [101, 60],
      [99, 61],
      [200, 120],
      [50, 30],
      [33, 20],
    ]) {
      const path = await grey(w, h, disc(w, h));
      const { mask, notes } = await loadMask(fileSource(path), { width: 100, height: 60, path });
      expect([mask.width, mask.height]).toEqual([100, 60]);
      expect(notes.map(({ kind }) => kind)).toEqual(['resampled']);
      const share = mask.data.filter(Boolean).length / mask.data.length;
      expect(share).toBeCloseTo(0.157, 1);
    }
  });
  it('any other size is refused', async () => {
    for (const [w, h] of [
      [102, 60],
      [60, 100],
      [200, 100],
      [4, 2],
    ]) {
      const path = await grey(w, h, disc(w, h));
      await expect(loadMask(fileSource(path), { width: 100, height: 60, path })).rejects.toMatchObject({
        problem: 'mask-size',
      });
    }
  });
  it('is turned as EXIF says, from either side, for every orientation that swaps the sides', async () => {
    const width = 30;
    const height = 20;
    const object = (x: number, y: number) => x < 11 && y < 6;
    const pixels = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const pixel = Math.floor(i / 3);
      return object(pixel % width, Math.floor(pixel / width)) ? 255 : 0;
    });
    const stored = await grey(width, height, (x, y) => (object(x, y) ? 255 : 0));
    for (const orientation of [5, 6, 7, 8]) {
      const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
        .withMetadata({ orientation })
        .png()
        .toBuffer();
      const path = write(bytes);
      const shown = await sharp(path).autoOrient().extractChannel(0).raw().toBuffer();
      const displayed = { width: height, height: width, path };
      const turned = await loadMask(fileSource(stored), displayed);
      expect(Buffer.compare(turned.mask.data, shown)).toBe(0);
      expect(turned.notes.map(({ kind }) => kind)).toEqual(['rotated']);
      const shownFile = await grey(height, width, (x, y) => shown[y * height + x]);
      const back = await loadMask(fileSource(shownFile), { width, height, path });
      expect(back.mask.data.every((value, i) => value === (object(i % width, Math.floor(i / width)) ? 255 : 0))).toBe(
        true,
      );
    }
  });

  it('goes the way of its image where its kind tells which picture it was drawn for, whatever the size', async () => {
    const side = 24;
    const object = (x: number, y: number) => x < 11 && y < 6;
    const plane = Uint8Array.from({ length: side * side }, (_, i) =>
      object(i % side, Math.floor(i / side)) ? 255 : 0,
    );
    const rgba = Uint8Array.from({ length: side * side * 4 }, (_, i) => (i % 4 === 3 ? plane[i >> 2] : 90));
    const box = [0, 0, 11, 0, 11, 6, 0, 6];
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const bytes = await sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
        .withMetadata({ orientation })
        .png()
        .toBuffer();
      const path = write(bytes);
      const image = { width: side, height: side, path };
      const shown = await sharp(path).autoOrient().extractChannel('alpha').raw().toBuffer();
      const alpha = async (mode: 'pillow' | 'corrected') =>
        (await loadMask({ kind: 'alpha' }, image, { mode })).mask.data;
      expect(Buffer.compare(await alpha('pillow'), plane), `stored, orientation ${orientation}`).toBe(0);
      expect(Buffer.compare(await alpha('corrected'), shown), `displayed, orientation ${orientation}`).toBe(0);
      // Drawn on the upright picture, so turned back for the stored one.
      const drawn: MaskSource = { kind: 'polygons', polygons: [box], rule: 'labelme', width: side, height: side };
      const upright = (await loadMask(drawn, image, { mode: 'corrected' })).mask.data;
      const back = (await loadMask(drawn, image, { mode: 'pillow' })).mask;
      const again = await sharp(back.data, { raw: { width: side, height: side, channels: 1 } })
        .withMetadata({ orientation })
        .png()
        .toBuffer();
      const turned = await sharp(again).autoOrient().extractChannel(0).raw().toBuffer();
      expect(Buffer.compare(turned, upright), `LabelMe, orientation ${orientation}`).toBe(0);
    }
  });
});

describe('content', () => {
  const image = (path: string) => ({ width: 40, height: 30, path });
  it('empty and full masks are refused', async () => {
    const empty = await grey(40, 30, () => 0);
    const full = await grey(40, 30, () => 255);
    await expect(loadMask(fileSource(empty), image(empty))).rejects.toMatchObject({ problem: 'mask-empty' });
    await expect(loadMask(fileSource(full), image(full))).rejects.toMatchObject({ problem: 'mask-full' });
  });
  it('a mask that may be inverted is questioned, not inverted', async () => {
    const hole = (x: number, y: number) => Math.hypot(x - 20, y - 15) < 9;
    const inverted = await grey(40, 30, (x, y) => (hole(x, y) ? 0 : 255));
    const proper = await grey(40, 30, (x, y) => (hole(x, y) ? 255 : 0));
    const large = await grey(40, 30, (_, y) => (y > 0 ? 255 : 0));
    const wrong = await loadMask(fileSource(inverted), image(inverted));
    expect(wrong.notes.map(({ kind }) => kind)).toEqual(['polarity']);
    expect(wrong.mask.data[0]).toBe(255);
    expect((await loadMask(fileSource(proper), image(proper))).notes).toEqual([]);
    expect((await loadMask(fileSource(large), image(large))).notes).toEqual([]);
  });
  it('polygons, run lengths and the image’s own alpha become masks', async () => {
    const square = { kind: 'polygons', polygons: [[10, 5, 30, 5, 30, 25, 10, 25]], width: 40, height: 30 } as const;
    const path = await grey(40, 30, () => 0);
    const drawn = await loadMask({ ...square, polygons: [[...square.polygons[0]]] }, image(path));
    expect(drawn.encoding).toBe('polygons');
    expect(drawn.mask.data.filter(Boolean)).toHaveLength(400);
    const runs = await loadMask({ kind: 'rle', counts: [300, 60, 840], width: 40, height: 30 }, image(path));
    expect(runs.encoding).toBe('rle');
    expect(runs.mask.data.filter(Boolean)).toHaveLength(60);
    await expect(loadMask({ kind: 'rle', counts: [1, 2], width: 40, height: 30 }, image(path))).rejects.toMatchObject({
      problem: 'mask-unreadable',
    });
    const rgba = Uint8Array.from({ length: 40 * 30 * 4 }, (_, i) =>
      i % 4 === 3 && Math.floor(i / 4) % 40 < 13 ? 255 : i % 4 === 3 ? 0 : 99,
    );
    const cutOut = write(
      await sharp(rgba, { raw: { width: 40, height: 30, channels: 4 } })
        .png()
        .toBuffer(),
    );
    const alpha = await loadMask({ kind: 'alpha' }, image(cutOut));
    expect(alpha.encoding).toBe('alpha');
    expect(alpha.mask.data.filter(Boolean)).toHaveLength(13 * 30);
  });
});
