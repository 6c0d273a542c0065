import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLabelmePicture } from './labelme-picture.ts';

describe('a picture inside an annotation', () => {
  let folder: string;
  let inside: Buffer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'labelme-'));
    inside = await sharp({ create: { width: 9, height: 7, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const find = (fields: object = {}) =>
    findLabelmePicture(
      { imagePath: 'gone.jpg', imageData: inside.toString('base64'), ...fields },
      join(folder, 'a.json'),
    );

  it('is unpacked where nobody else may look or plant a file, under a name nobody can guess', async () => {
    const [first, second] = [await find(), await find()];
    expect(first?.embedded).toBe(true);
    expect(await readFile(first?.path as string)).toEqual(inside);
    expect(first?.path).not.toBe(second?.path);
    for (const { path } of [first, second] as { path: string }[]) {
      expect(dirname(dirname(path))).toBe(tmpdir());
      expect(basename(path)).toMatch(/^[0-9a-f-]{36}\.png$/);
      if (process.platform === 'win32') continue;
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    }
  });

  it('is not used where a picture of the name lies beside it', async () => {
    await writeFile(join(folder, 'a.png'), inside);
    expect(await find()).toEqual({ path: join(folder, 'a.png'), embedded: false });
  });

  it('that is no picture is none', async () => {
    expect(await find({ imageData: Buffer.from('#!/bin/sh').toString('base64') })).toBeUndefined();
  });
});
