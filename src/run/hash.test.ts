import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/fixtures/dataset/files.ts';
import { hashFile } from './hash.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('hashes files alone: a pipe would wait for ever', async () => {
  // sha256sum of the three bytes.
  expect(await hashFile(folder.put('a', 'abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [join(folder.root, 'pipe')]);
  await expect(hashFile(join(folder.root, 'pipe'))).rejects.toThrow('named pipe');
});

it('hashes a large file as it hashes a small one', async () => {
  const bytes = Buffer.alloc(5 * 2 ** 20, 'abcdefg');
  const whole = createHash('sha256').update(bytes).digest('hex');
  expect(await hashFile(folder.put('large', bytes))).toBe(whole);
});
