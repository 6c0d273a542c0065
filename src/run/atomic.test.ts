import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepPartial, writePicture } from './atomic.ts';

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'sceneshift-atomic-'));
});
afterAll(() => rm(out, { recursive: true }));

it('writes a picture into folders that are not there yet, also after the partial ones were swept away', async () => {
  writePicture(out, 'a/b/one.png', Uint8Array.of(1, 2, 3));
  await sweepPartial(out);
  writePicture(out, 'a/b/two.png', Uint8Array.of(4));
  writePicture(out, 'a/b/one.png', Uint8Array.of(5));
  expect([...(await readFile(join(out, 'a/b/one.png')))]).toEqual([5]);
  expect((await readdir(join(out, 'a/b'))).sort()).toEqual(['one.png', 'two.png']);
  expect(await readdir(join(out, '.partial'))).toEqual([]);
});

it('says why a picture cannot be written', async () => {
  await writeFile(join(out, 'file'), '');
  expect(() => writePicture(out, 'file/one.png', Uint8Array.of(1))).toThrow(/ENOTDIR|EEXIST/);
});
