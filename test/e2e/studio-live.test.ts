import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startSceneshift } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { slowly } from '../support/programs.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { expectAccessible, startStudio, visit } from '../support/studio.ts';

const poll = <T>(look: () => T) => expect.poll(look, { timeout: 240_000 });

describe('work that goes on elsewhere', () => {
  let home: string;
  let browser: Browser;
  let args: string[];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-live-'));
    const { folder } = await makeDataset(join(home, 'data'), { perClass: 20, width: 48, height: 48 });
    const model = join(home, 'net.onnx');
    const layers = [{ channels: 8, kernel: 5, stride: 2 }];
    await writeFile(model, plainNet({ sizePx: 48, layers, outputs: 3, seed: 'live' }));
    // A shard in seconds, all of it in more than a minute on any machine: it is stopped when it has been looked at.
    const slow = slowly(model, { delayMs: 10 });
    const scenarios = Array.from({ length: 250 }, (_, i) => `blur-background:${(i + 1) / 50}`).join(',');
    args = ['run', '--data', folder, '--model', slow, '--scenarios', scenarios, '--threads', '1'];
    browser = await openBrowser();
    return async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    };
  });

  it('a run started in a terminal is seen, its progress grows, and its end is told', async () => {
    const studio = await startStudio([], { cwd: home });
    const { page, complaints } = await visit(await browser.newContext(), studio.address);
    expect(await page.locator('.state').count()).toBe(0);
    let terminal: ChildProcess | undefined;
    const ran = startSceneshift([...args, '--out', join(home, 'runs', 'terminal')], {
      cwd: home,
      onStart: (child) => {
        terminal = child;
      },
    });
    try {
      const row = page.locator('tbody tr', { hasText: 'terminal' });
      await row.locator('.state.running').waitFor();
      const share = async () => Number(await row.locator('progress').getAttribute('value'));
      const first = await share();
      await poll(share).toBeGreaterThan(first);
      await expectAccessible(page);
      // It was not started here, so it cannot be stopped here.
      await row.getByRole('link', { name: 'terminal' }).click();
      await page.locator('.state.running').waitFor();
      expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
      terminal?.kill('SIGINT');
      await ran;
      await page.locator('.state.stopped').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      terminal?.kill('SIGKILL');
      await studio.stop();
    }
  });

  it.skipIf(!hasRedis)('the queue: how deep, who works, how fast, how long still', async () => {
    const redis = await startRedis();
    const studio = await startStudio(['--queue', redis.url], { cwd: home });
    const working: ChildProcess[] = [];
    const start = (command: string[]) =>
      startSceneshift(command, { cwd: home, onStart: (child) => void working.push(child) }).catch(() => undefined);
    try {
      const { page, complaints, shoot } = await visit(await browser.newContext(), studio.address);
      const panel = page.getByRole('region', { name: 'Queue' });
      await panel.getByText('0 workers').waitFor();
      const queued = ['--queue', redis.url, '--chunk', '50', '--root', home, '--out', join(home, 'runs', 'queued')];
      void start([...args, ...queued]);
      const fact = (name: string) => panel.locator('.facts div', { hasText: name }).locator('dd').innerText();
      await poll(async () => Number(await fact('waiting'))).toBeGreaterThan(1);
      void start(['worker', '--queue', redis.url, '--root', home, '--threads', '1']);
      await panel.getByText(/^1 worker: /).waitFor();
      await poll(async () => Number(await fact('chunks a second'))).toBeGreaterThan(0);
      await poll(() => fact('time left')).toMatch(/\d (s|min|h)$/);
      await expectAccessible(page);
      await shoot('queue');
      expect(complaints).toEqual([]);
      await redis.stop();
      await panel.getByText(/No queue at/).waitFor();
    } finally {
      for (const child of working) child.kill('SIGKILL');
      await studio.stop();
      await redis.stop();
    }
  });
});
