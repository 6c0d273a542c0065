import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import { lockFolder } from '../run/folder/index.ts';
import { createStudio } from './app.ts';
import { localHosts } from './guard.ts';
import { createTools } from './tools.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let home: string;
let workspace: Workspace;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-workspace-'));
  await makeRunFolder(join(home, 'given', 'first'));
  await makeRunFolder(join(home, 'given', 'deep', 'second'));
  await makeRunFolder(join(home, 'elsewhere', 'first'));
  await mkdir(join(home, 'photos'), { recursive: true });
  await writeFile(join(home, 'photos', 'a.jpg'), 'a');
  await writeFile(join(home, 'secret.txt'), 'secret');
  await symlink(join(home, 'secret.txt'), join(home, 'photos', 'link.jpg'));
  await symlink(home, join(home, 'photos', 'up'));
  await symlink(join(home, 'photos', 'a.jpg'), join(home, 'photos', 'inside.jpg'));
  workspace = await openWorkspace({
    paths: [join(home, 'given'), join(home, 'photos')],
    runsFolder: join(home, 'new-runs'),
  });
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('a workspace', () => {
  it('knows the runs given, those in folders given, and those that appear later; no others', async () => {
    expect((await workspace.runs()).map(({ id }) => id)).toEqual(['deep-second', 'given-first']);
    await expect(workspace.run('elsewhere-first')).rejects.toThrow("There is no run 'elsewhere-first' here");
    await makeRunFolder(join(home, 'new-runs', 'third'));
    expect((await workspace.runs()).map(({ id }) => id).sort()).toEqual([
      'deep-second',
      'given-first',
      'new-runs-third',
    ]);
  });

  it.each(['../elsewhere/first', '..', '.', '/etc', '%2e%2e', 'given-first/../../x', '__proto__', ''])(
    'has no run %j',
    async (id) => {
      await expect(workspace.run(id)).rejects.toThrow('There is no run');
    },
  );

  it('serves files below what was given, also through links that stay inside', async () => {
    const file = join(home, 'photos', 'a.jpg');
    await expect(workspace.allowed(file)).resolves.toBe(file);
    await expect(workspace.allowed(join(home, 'photos', 'inside.jpg'))).resolves.toBe(file);
    await expect(workspace.allowed(join(home, 'given', 'first', 'run.json'))).resolves.toContain('run.json');
  });

  it.each([
    'photos/link.jpg',
    'photos/up/secret.txt',
    'photos/../secret.txt',
    'secret.txt',
    'elsewhere/first/run.json',
    'photos',
  ])('refuses %s', async (path) => {
    await expect(workspace.allowed(join(home, path))).rejects.toThrow('outside the folders');
  });

  it('says of a path that is not there that it is not', async () => {
    const options = { paths: [join(home, 'nowhere')], runsFolder: join(home, 'new-runs') };
    await expect(openWorkspace(options)).rejects.toThrow('give run folders, folders of runs, datasets or reviews');
  });
});

describe('addresses', () => {
  const studio = async () =>
    createStudio({
      workspace,
      page: new Map([['/index.html', join(home, 'photos', 'a.jpg')]]),
      version: '1',
      tools: createTools([process.execPath]),
      hosts: localHosts,
    });
  const get = async (path: string) => (await studio()).app.request(path, { headers: { host: 'localhost' } });

  it('name files of the page alone', async () => {
    expect(await (await get('/')).text()).toBe('a');
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/index.html/../../secret.txt',
      '/package.json',
      '//etc/passwd',
    ])
      expect((await get(path)).status, path).toBe(404);
  });

  it('list the runs; a record that cannot be read costs its run alone', async () => {
    await mkdir(join(home, 'new-runs', 'broken'), { recursive: true });
    await writeFile(join(home, 'new-runs', 'broken', 'run.json'), '{ not json');
    const { runs } = (await (await get('/api/workspace')).json()) as { runs: { id: string; done: number }[] };
    expect(runs.map(({ id }) => id)).toContain('given-first');
    expect(runs.map(({ id }) => id)).not.toContain('new-runs-broken');
    expect(runs.find(({ id }) => id === 'given-first')?.done).toBe(2 * 4 * 60);
    const missing = await get('/api/runs/%2e%2e%2fetc');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toContain('json');
  });

  it('tell a run under way from one that was stopped, by who holds its folder', async () => {
    const folder = join(home, 'new-runs', 'under-way');
    await makeRunFolder(folder);
    const record = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    await writeFile(join(folder, 'run.json'), JSON.stringify({ ...record, finished: null }));
    const state = async () => ((await (await get('/api/runs/new-runs-under-way')).json()) as { state: string }).state;
    expect(await state()).toBe('stopped');
    const lock = await lockFolder(folder);
    expect(await state()).toBe('running');
    await lock.release();
    expect(await state()).toBe('stopped');
  });
});
