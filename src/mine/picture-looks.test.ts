import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { writeRunRecord } from '../run/folder/index.ts';
import { pictureLooks } from './picture-looks.ts';

it('measures brightness, contrast, sharpness and the object in the files of a run, by name', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-looks-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const raw = { width: 8, height: 8, channels: 1 } as const;
  const write = (name: string, level: (i: number) => number) =>
    sharp(Buffer.from(Array.from({ length: 64 }, (_, i) => level(i))), { raw })
      .png()
      .toFile(join(home, name));
  await write('flat.png', () => 51);
  await write('stripes.png', (i) => (i % 2 ? 255 : 0));
  await write('mask.png', (i) => (i < 16 ? 255 : 0));
  const manifest = join(home, 'manifest.csv');
  await writeFile(manifest, 'image,mask,label\nflat.png,mask.png,a\nstripes.png,mask.png,b\n');
  const run = join(home, 'run');
  await writeRunRecord(run, {
    version: 1,
    versions: {},
    models: [],
    scenarios: ['original'],
    data: { path: manifest, layout: 'manifest' },
  });
  const of = (sample: string, scenario = 'original') => ({ sample, scenario });

  const looks = await pictureLooks([of('stripes.png'), of('flat.png')], run);
  expect(looks.brightness).toEqual([expect.closeTo(0.5, 10), expect.closeTo(0.2, 10)]);
  expect(looks.contrast).toEqual([expect.closeTo(127.5, 10), expect.closeTo(0, 6)]);
  // Along a row of stripes the Laplacian is 2 · ±255, up and down it is nought.
  expect(looks['sharpness (log)']).toEqual([expect.closeTo(Math.log1p(510 ** 2), 10), 0]);
  expect(looks["object's share"]).toEqual([0.25, 0.25]);

  expect(await pictureLooks([of('flat.png', 'blur-background')], run)).toEqual({});
});
