import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import type { Explored, VariantPage } from '../contracts/studio/explore.ts';
import { createStudio, type Studio } from './app.ts';
import { localHosts } from './guard.ts';
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
    // Asked in the same moment: neither a filter nor the whole is answered from the head.
    const [head, filtered, whole] = await Promise.all([
      ask<Explored>('explore?head=1'),
      ask<Explored>('explore?head=1&outcome=right&sample=1'),
      ask<Explored>('explore'),
    ]);
    expect(head.partial).toBe(true);
    expect(head.variants).toBeGreaterThan(0);
    expect(head.variants).toBeLessThan(shards);
    expect(head.of).toBe(head.answers);
    expect(head.first).toHaveLength(head.variants);
    // 1, 10 to 19 and 21.
    expect(filtered).toMatchObject({ variants: 12, of: shards });
    expect(filtered.partial).toBeUndefined();
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
});
