import { renameSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import type { Explored, VariantPage } from '../contracts/studio/explore.ts';
import { answerShards } from '../run/folder/index.ts';
import { createStudio, type Studio } from './app.ts';
import { cachedColumns } from './columns-cache.ts';
import { localHosts } from './guard.ts';
import { createOpenRuns } from './open-runs.ts';
import { createTools } from './tools.ts';
import { openWorkspace } from './workspace.ts';

const shards = 24;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-explore-'));
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  const [models, scenarios, classes] = [['one'], ['original'], ['cat']];
  const right = () => true;
  await makeRunFolder(join(home, 'runs', 'large'), { models, scenarios, classes, perClass: shards, shards, right });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const open = async (): Promise<Studio> =>
  createStudio({
    workspace: await openWorkspace({ paths: [], runsFolder: join(home, 'runs') }),
    page: new Map(),
    version: '1',
    tools: createTools([process.execPath]),
    hosts: localHosts,
  });

describe('a large run that is opened', () => {
  it('shows its first answers while all are read, then all; the next time all at once', async () => {
    const studio = await open();
    const ask = async <T>(path: string) => {
      const answer = await studio.app.request(`/api/runs/runs-large/${path}`, { headers: { host: 'localhost' } });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as T;
    };
    // Asked in the same moment; sizes are known of the whole alone.
    const [head, filtered, none, sized, whole] = await Promise.all([
      ask<Explored>('explore?head=1'),
      ask<Explored>('explore?head=1&outcome=right'),
      ask<Explored>('explore?head=1&outcome=wrong'),
      ask<Explored>('explore?head=1&size=0-1'),
      ask<Explored>('explore'),
    ]);
    expect(head.partial).toBe(true);
    expect(head.variants).toBeGreaterThan(0);
    expect(head.variants).toBeLessThan(shards);
    expect(head.of).toBe(head.answers);
    expect(head.first).toHaveLength(head.variants);
    expect(filtered).toMatchObject({ variants: head.variants, partial: true });
    // Not yet: the page says that there may be some among the others.
    expect(none).toMatchObject({ variants: 0, of: head.of, partial: true });
    expect(sized).toMatchObject({ variants: 0, of: shards });
    expect(sized.partial).toBeUndefined();
    expect(whole).toMatchObject({ variants: shards, answers: shards });
    expect(whole.partial).toBeUndefined();
    const later = await ask<Explored>('explore?head=1');
    expect(later).toEqual(whole);
    expect((await ask<VariantPage>('variants?head=1&from=0&count=100')).tiles).toHaveLength(shards);
    await studio.close();

    const again = await open();
    const kept = await again.app.request('/api/runs/runs-large/explore?head=1', { headers: { host: 'localhost' } });
    expect(await kept.json()).toEqual(whole);
    await again.close();
  });

  it('has its first page made before the rest is read', async () => {
    const run = join(home, 'runs', 'large');
    const files = await answerShards(run);
    const order: string[] = [];
    let release = () => {};
    const shown = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubEnv('XDG_CACHE_HOME', join(home, 'empty'));
    const { head, whole } = cachedColumns(run, files, { beforeRest: () => shown.then(() => void order.push('page')) });
    const read = whole.then(() => order.push('rest'));
    expect((await head)?.samples.length).toBeLessThan(shards);
    release();
    await read;
    expect(order).toEqual(['page', 'rest']);
  });

  it('is read by one reading at a time, though it grows; what was known is shown meanwhile', async () => {
    const folder = join(home, 'growing', 'run');
    const later = join(home, 'growing', 'later');
    const of = { models: ['one'], scenarios: ['original'], right: () => true, perClass: shards, shards };
    await makeRunFolder(folder, { ...of, classes: ['cat'] });
    await makeRunFolder(later, { ...of, classes: ['dog'] });
    const more = (await answerShards(later)).map((file) => [
      file,
      join(folder, 'predictions', `later-${basename(file)}`),
    ]);
    vi.stubEnv('XDG_CACHE_HOME', join(home, 'growing', 'cache'));
    const clock = vi.spyOn(Date, 'now');
    let now = 1e12;
    clock.mockImplementation(() => (now += 10_000));
    const runs = createOpenRuns(await openWorkspace({ paths: [folder], runsFolder: join(home, 'none') }));
    try {
      const run = await runs.open((await runs.newest()) as string);
      const first = run.columns();
      expect((await run.head())?.samples.length).toBeLessThan(shards);
      // Within one turn: the rest cannot have been read meanwhile.
      for (const [from, to] of more) renameSync(from, to);
      expect(await run.columns()).toBe(await first);
      expect(await run.head()).toBe(await first);
      expect((await run.columns()).samples).toHaveLength(2 * shards);
      expect(await run.head()).toBeUndefined();
    } finally {
      clock.mockRestore();
      await runs.close();
    }
  });
});
