import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheBytes, contentFile, makeRoom, storageCache } from './cache-folder.ts';

describe('the cache of what lies on object storage', () => {
  const before = { ...process.env };
  beforeAll(async () => {
    process.env.SCENESHIFT_CACHE = await mkdtemp(join(tmpdir(), 'sceneshift-cache-'));
    process.env.SCENESHIFT_CACHE_SIZE = '10K';
  });
  afterAll(async () => {
    await rm(process.env.SCENESHIFT_CACHE as string, { recursive: true, force: true });
    process.env = before;
  });

  it('reads sizes, and refuses what is none', () => {
    const sizes = ['500', '20K', '1.5M', '20G', '2TB'].map((size) => cacheBytes({ SCENESHIFT_CACHE_SIZE: size }));
    expect(sizes).toEqual([500, 20_000, 1_500_000, 20e9, 2e12]);
    for (const size of ['much', '-1', '0', '5X'])
      expect(() => cacheBytes({ SCENESHIFT_CACHE_SIZE: size })).toThrow(/a size such as 500M/);
  });

  it('is another one for another server', () => {
    const folders = ['http://a', 'http://b', ''].map((AWS_ENDPOINT_URL) => storageCache({ AWS_ENDPOINT_URL }));
    expect(new Set(folders).size).toBe(3);
  });

  it('lets go what was used longest ago, down to four fifths of its limit', async () => {
    const files = Array.from({ length: 8 }, (_, i) => contentFile(`${i}`.repeat(32)));
    for (const [i, file] of files.entries()) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.alloc(2000));
      // The third was used last.
      const used = i === 2 ? 100 : i;
      await utimes(file, used, used);
    }
    await makeRoom(2000);
    expect(files.map((file) => existsSync(file))).toEqual([false, false, true, false, false, true, true, true]);
  });
});
