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

it('a place on object storage is a root too: nothing beside it, above it or elsewhere', async () => {
  const root = 's3://bucket/shared';
  expect(belowRoot(root, 's3://bucket/shared/data/photos/', '--data')).toBe('data/photos');
  expect(belowRoot(root, root, '--data')).toBe('.');
  for (const path of ['s3://bucket/other', 's3://bucket/shared-too', 's3://elsewhere/shared/data', '/etc', 'data'])
    expect(() => belowRoot(root, path, '--data')).toThrow(/is not below s3:\/\/bucket\/shared/);
  expect(() => belowRoot('/shared', 's3://bucket/shared', '--data')).toThrow(/is not below \/shared/);
  expect(await insideRoot(root, 'data/photos')).toBe('s3://bucket/shared/data/photos');
  expect(await insideRoot(root, '.')).toBe(root);
  for (const path of ['../other', 'data/../../other', '/etc/passwd', 's3://elsewhere/x', 'a//b', '..'])
    await expect(insideRoot(root, path)).rejects.toThrow(/not below s3:\/\/bucket\/shared; refused/);
});
