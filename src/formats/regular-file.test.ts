import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/fixtures/dataset/files.ts';
import { readRegularFile, readUpTo } from './regular-file.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('reads all bytes of a file, also of an empty one and of one of several megabytes', async () => {
  for (const size of [0, 1, 70_000, 9_000_001]) {
    const bytes = Buffer.alloc(size);
    for (let i = 0; i < size; i++) bytes[i] = i * 31;
    expect(bytes.equals(await readRegularFile(folder.put(`${size}`, bytes)))).toBe(true);
  }
});

it('reads a file of the system that says it is empty', async () => {
  if (process.platform !== 'linux') return;
  expect(String(await readRegularFile('/proc/version'))).toBe(readFileSync('/proc/version', 'utf8'));
});

it('tells the size of a file that is larger than asked for, or refuses it', async () => {
  const path = folder.put('five', '12345');
  expect(await readUpTo(path, 4)).toBe(5);
  expect(String(await readUpTo(path, 5))).toBe('12345');
  await expect(readRegularFile(path, { most: 4 })).rejects.toThrow('has 5 bytes, more than the 4 that are read');
});

it('says what a path is that is no file', async () => {
  await expect(readRegularFile(folder.root)).rejects.toThrow('is a folder, not a file');
  await expect(readRegularFile(`${folder.root}/none`)).rejects.toMatchObject({ problem: 'missing-file' });
});
