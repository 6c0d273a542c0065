import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { checkOut, checkSameData, openRunStore } from './index.ts';

const dataset = (path: string, classes = ['cat', 'dog', 'teapot']): Dataset => ({
  ...{ path, layout: 'image-folder', samples: [], classes, notes: [], problems: [] },
});

describe('the folder of a run', () => {
  let home: string;
  let run: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'ownership-'));
    run = join(home, 'run');
    await makeRunFolder(run, { perClass: 2 });
    await mkdir(join(home, 'data'));
    await symlink(join(home, 'data'), join(home, 'link'));
    await writeFile(join(home, 'manifest.csv'), 'image\n');
  });
  afterAll(() => rm(home, { recursive: true }));

  it.each(['', ' '])('is not nowhere: %j', async (out) => {
    await expect(checkOut(out, dataset(home))).rejects.toThrow("Expected a folder to write for --out but received '");
  });

  it('is not inside the dataset, by whatever way', async () => {
    for (const out of ['data', 'data/runs/first', 'link/run', 'run/../data/x'])
      await expect(checkOut(join(home, out), dataset(join(home, 'data')))).rejects.toThrow('outside the dataset');
    await checkOut(join(home, 'data-2'), dataset(join(home, 'data')));
    await checkOut(join(home, 'runs/first'), dataset(join(home, 'data')));
    // A manifest names its pictures: what lies beside it is no part of it.
    await checkOut(join(home, 'runs/first'), dataset(join(home, 'manifest.csv')));
  });

  it('belongs to one dataset', async () => {
    const store = await openRunStore(run);
    const check = (data: Dataset, sourceOf: (id: string) => string) => {
      const ids = ['cat', 'dog', 'teapot'].flatMap((label) => [0, 1].map((i) => `${label}/${i}.jpg`));
      return checkSameData(run, data, { store, samples: new Map(ids.map((id) => [id, new Set([sourceOf(id)])])) });
    };
    const same = (id: string) => id;
    await check(dataset('/data/my photos'), same);
    // Pictures that have changed in their place are asked about again.
    await check(dataset('/data/my photos'), () => 'changed');
    await check(dataset('/moved/my photos'), same);
    await expect(check(dataset('/data/others'), () => 'another')).rejects.toThrow(
      'it was /data/my photos, and the pictures of /data/others are others; choose another --out, or delete the folder',
    );
    await expect(check(dataset('/data/my photos', ['cat', 'dog', 'fox']), same)).rejects.toThrow(
      'class teapot not in /data/my photos, class fox not in the run',
    );
    store.close();
  });

  it('may be new, or have lost its record', async () => {
    const copy = join(home, 'copy');
    await cp(run, copy, { recursive: true });
    await writeFile(join(copy, 'run.json'), '');
    const store = await openRunStore(copy);
    await checkSameData(copy, dataset('/elsewhere', ['fox']), { store, samples: new Map() });
    store.close();
  });
});
