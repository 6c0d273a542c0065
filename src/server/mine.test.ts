import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import type { MinedPictures, MinePage } from '../contracts/studio/mine.ts';
import { mineRun } from '../mine/mine-run.ts';
import { createStudio, type Studio } from './app.ts';
import { localHosts } from './guard.ts';
import { createTools } from './tools.ts';
import { openWorkspace } from './workspace.ts';

let home: string;
let studio: Studio;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-mined-'));
  const models = ['s1', 's2', 't'];
  for (const name of ['mined', 'plain'])
    await makeRunFolder(join(home, 'runs', name), { models, right: (m, scenario, i) => (i + scenario + m) % 3 > 0 });
  await mineRun({ run: join(home, 'runs', 'mined'), surrogates: ['s1', 's2'], targets: ['t'], atLeast: 1, seed: 0 });
  studio = createStudio({
    workspace: await openWorkspace({ paths: [], runsFolder: join(home, 'runs') }),
    page: new Map(),
    version: '1',
    tools: createTools([process.execPath]),
    hosts: localHosts,
  });
});
afterAll(async () => {
  await studio.close();
  await rm(home, { recursive: true });
});
const ask = (path: string) => studio.app.request(`/api/runs/runs-${path}`, { headers: { host: 'localhost' } });
const json = async <T>(path: string) => (await (await ask(path)).json()) as T;

describe('mined pictures in the studio', () => {
  it('are what the run folder says; a run that was not mined says so', async () => {
    const page = await json<MinePage>('mined/mine');
    expect(page.mining?.selection.surrogates).toEqual(['s1', 's2']);
    expect(page.released).toBeNull();
    expect(await json<MinePage>('plain/mine')).toEqual({ mining: null, released: null });
    expect((await ask('plain/mine/pictures')).status).toBe(404);
  });

  it('stand behind every number', async () => {
    const { mining } = await json<MinePage>('mined/mine');
    const chosen = await json<MinedPictures>('mined/mine/pictures');
    expect(chosen.total).toBe(mining?.chosen.length);
    expect(chosen.pictures.length).toBe(Math.min(120, chosen.total));

    const cell = mining?.fails.find(({ model }) => model === 't');
    const wrong = await json<MinedPictures>(
      `mined/mine/pictures?set=pool&wrong=t&nuisance=${encodeURIComponent(cell?.nuisance ?? '')}`,
    );
    expect(wrong.total).toBe(cell?.wrong);
    expect(wrong.pictures.every((picture) => picture.wrong.includes('t') && picture.answer !== picture.label)).toBe(
      true,
    );

    const pair = mining?.matrix.find(({ surrogates, target }) => surrogates.join() === 's1' && target === 't');
    const right = await json<MinedPictures>('mined/mine/pictures?set=pool&wrong=s1&right=t');
    expect(right.total).toBe(Math.round((pair?.n ?? 0) * (pair?.accuracy ?? 0)));
  });

  it('refuse what is not there', async () => {
    for (const query of ['wrong=nobody', 'mode=9999', 'set=released']) {
      const answer = await ask(`mined/mine/pictures?${query}`);
      expect(answer.status, query).toBe(404);
    }
    expect((await ask('mined/mine/pictures?set=everything')).status).toBe(400);
  });
});
