import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { belowRoot, insideRoot } from './root.ts';

describe('paths in the queue', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sceneshift-root-'));
    await mkdir(join(root, 'data'));
    await mkdir(join(root, '..data'));
    await symlink(tmpdir(), join(root, 'out-of-it'));
    await symlink(join(root, 'data'), join(root, 'within'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('come out where they went in', async () => {
    for (const name of ['data', '..data', 'not-there-yet/run', 'within'])
      expect(await insideRoot(root, belowRoot(root, join(root, name), '--data'))).toBe(join(root, name));
    expect(belowRoot(root, root, '--data')).toBe('.');
    expect(await insideRoot('/', belowRoot('/', join(root, 'data'), '--data'))).toBe(join(root, 'data'));
  });

  it('do not leave the root, by name or over a link', async () => {
    expect(() => belowRoot(root, tmpdir(), '--data')).toThrow('--data');
    for (const path of ['..', '../x', '/etc', 'data/../..', 'out-of-it', 'out-of-it/x/..'])
      await expect(insideRoot(root, path), path).rejects.toThrow('is not below');
  });
});
