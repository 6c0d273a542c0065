import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openThumbnails } from './thumbnails.ts';

let folder: string;
let image: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sceneshift-thumbnails-'));
  image = join(folder, 'photograph.jpg');
  await writeFile(image, 'a');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Told by its first two bytes. */
const picture = (text: string) => ({
  bytes: Uint8Array.of(0xff, 0xd8, ...new TextEncoder().encode(text)),
  type: 'image/jpeg',
});
const text = (found: { bytes: Uint8Array } | undefined) => found && new TextDecoder().decode(found.bytes.subarray(2));

describe('thumbnails on disk', () => {
  it('are found again by another studio, and not after their photograph changed', async () => {
    const sample = { id: 'a', image };
    const first = openThumbnails({ of: { seed: 1 }, folder: join(folder, 'kept') });
    const name = await first.nameOf(sample, ['grey', 160]);
    await first.put(name, picture('grey'));
    const again = openThumbnails({ of: { seed: 1 }, folder: join(folder, 'kept') });
    expect(await again.nameOf(sample, ['grey', 160])).toBe(name);
    expect(await again.get(name)).toMatchObject({ type: 'image/jpeg' });
    expect(text(await again.get(name))).toBe('grey');
    expect(await openThumbnails({ of: { seed: 2 }, folder: join(folder, 'kept') }).get(name)).toBeUndefined();
    expect(await again.nameOf(sample, ['rainbow', 160])).not.toBe(name);
    await utimes(image, 1, 1);
    expect(await again.nameOf(sample, ['grey', 160])).not.toBe(name);
  });

  it('never grow beyond their number, and old sets go', async () => {
    const root = join(folder, 'bounded');
    const small = openThumbnails({ of: 1, folder: root, mostPictures: 8, mostSets: 2 });
    for (let i = 0; i < 30; i++) await small.put(`${i}`.padStart(32, '0'), picture(String(i)));
    const held = async (set: string) =>
      (await readdir(join(root, set), { recursive: true })).filter((name) => name.endsWith('.tile')).length;
    const [set] = await readdir(root);
    expect(await held(set)).toBeLessThanOrEqual(8);
    expect(await held(set)).toBeGreaterThanOrEqual(6);
    expect(text(await small.get('29'.padStart(32, '0')))).toBe('29');
    for (const of of [2, 3, 4])
      await openThumbnails({ of, folder: root, mostSets: 2 }).put('a'.repeat(32), picture('x'));
    expect((await readdir(root)).length).toBeLessThanOrEqual(2);
  });
});
