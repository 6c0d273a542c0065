import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRunRecord } from '../run/folder/index.ts';
import { createRunStarter } from './start.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-start-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The routes over one run folder with these settings; what would be started is only noted. */
async function starter(config: Record<string, unknown>, models: string[] = []) {
  const path = await mkdtemp(join(home, 'run-'));
  await writeRunRecord(path, { models: [], scenarios: [], config: { data: 'd', ...config } });
  const begun: (readonly string[])[] = [];
  const workspace = {
    run: async () => ({ path }),
    runs: async () => [{ path }],
    datasets: async () => [],
    runsFolder: home,
  };
  const tools = {
    start: (args: readonly string[]) => {
      begun.push(args);
      return { ended: Promise.resolve(), stop: () => undefined };
    },
  };
  const { routes } = createRunStarter(workspace as never, tools as never, { models });
  routes.onError((error, c) => c.json({ error: error.message }, 400));
  const go = async () => (await routes.request('/runs/x/continue', { method: 'POST' })).json();
  const offered = async () => JSON.stringify(await (await routes.request('/start')).json());
  return { begun, go, offered };
}

describe('continuing a run that came from elsewhere', () => {
  it('starts no program and no plugin that its record alone names', async () => {
    const program = await starter({ models: ['command:rm -rf everything'] });
    expect(await program.go()).toMatchObject({ error: expect.stringContaining('names a program to run') });
    const named = await starter({ models: [{ model: 'command:rm -rf everything', name: 'innocent' }] });
    expect(await named.go()).toMatchObject({ error: expect.stringContaining('names a program to run') });
    const plugin = await starter({ models: ['net.onnx'], plugins: ['/tmp/evil.mjs'] });
    expect(await plugin.go()).toMatchObject({ error: expect.stringContaining('names plugins to run') });
    expect([program, named, plugin].flatMap(({ begun }) => begun)).toEqual([]);
    expect(await program.offered()).not.toContain('rm -rf');
  });

  it('goes on with networks, and with a program that the user named', async () => {
    const plain = await starter({ models: ['net.onnx'] });
    expect(await plain.go()).toEqual({ continuing: true });
    const own = await starter({ models: ['command:python3 model.py'] }, ['command:python3 model.py']);
    expect(await own.go()).toEqual({ continuing: true });
    expect([plain, own].map(({ begun }) => begun.length)).toEqual([1, 1]);
  });
});
