import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids, objectPixels } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

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
