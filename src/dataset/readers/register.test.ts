import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createFolder, ids } from '../../../test/fixtures/dataset/files.ts';
import { defineReader, layouts, readDataset, registerReaders } from '../index.ts';

const folder = createFolder();
afterAll(() => {
  folder.remove();
  // What is registered here is not there for the tests of other files.
  vi.resetModules();
});

const shelves = defineReader({
  id: 'shelves',
  title: 'Shelves',
  looksLike: 'shelves.list with one picture and its class a line',
  detect: ({ listing }) => (listing.files.includes('shelves.list') ? 1 : 0),
  async read({ path }) {
    return { samples: [{ id: 'a.jpg', image: join(path, 'a.jpg'), label: 'apple' }] };
  },
});

describe('a reader from outside', () => {
  it('is found by itself and by name once registered, and is listed', async () => {
    await folder.picture('a.jpg');
    folder.put('shelves.list', 'a.jpg apple');
    expect((await readDataset(folder.root)).layout).toBe('image-folder');
    await expect(readDataset(folder.root, { layout: 'shelves' })).rejects.toThrow(/Expected one of manifest/);
    registerReaders([shelves]);
    registerReaders([shelves]);
    expect(layouts().filter((id) => id === 'shelves')).toHaveLength(1);
    const { layout, samples } = await readDataset(folder.root);
    expect([layout, ids(samples)]).toEqual(['shelves', ['a.jpg']]);
  });
  it('must be whole, and have a name of its own', () => {
    expect(() => registerReaders([{ ...shelves, id: 'coco' }])).toThrow(/an id that no other layout has/);
    expect(() => registerReaders([{ ...shelves, id: 'x', read: undefined as never }])).toThrow(
      /Expected read, as defineReader/,
    );
    expect(() => registerReaders([undefined as never])).toThrow(/Expected id/);
  });
});
