import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Explored } from '../../src/contracts/studio/explore.ts';
import { openBrowser } from '../support/browser.ts';
import { makeRunFolder } from '../support/run-folder.ts';
import { expectAccessible, type RunningStudio, startStudio, visit } from '../support/studio.ts';

/** Markup, formula, escape and path in one; must be seen as it stands. */
const nasty = '<img src=x onerror=alert(1)> & "model" \u001b[31m';

describe('the studio', () => {
  let home: string;
  let browser: Browser;
  let studio: RunningStudio;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-'));
    await makeRunFolder(join(home, 'runs', 'first'), { models: [nasty, 'plain'] });
    [browser, studio] = await Promise.all([openBrowser(), startStudio([], { cwd: home })]);
    return async () => {
      await browser.close();
      expect(await studio.stop()).toBe(0);
      await rm(home, { recursive: true, force: true });
    };
  });

  it.each(['light', 'dark'] as const)('lists the runs, %s, accessible, asking nobody else', async (colorScheme) => {
    const { page, complaints, shoot } = await visit(await browser.newContext({ colorScheme }), studio.address);
    await page.getByRole('link', { name: 'first' }).waitFor();
    expect(await page.getByText(nasty.replace('\u001b', '')).count()).toBe(0);
    expect(await page.locator('main table').innerText()).toContain('<img src=x onerror=alert(1)>');
    await expectAccessible(page);
    await shoot(`runs-${colorScheme}`);
    expect(complaints).toEqual([]);
  });

  it('is walked through by keyboard; ? shows the keys, Escape closes them', async () => {
    const { page } = await visit(await browser.newContext(), studio.address);
    await page.getByRole('link', { name: 'first' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('to the list of runs');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('t');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    await page.getByRole('link', { name: 'first' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
    expect(page.url()).toContain('#/runs/runs-first');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  });

  it('says what is not there', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address, 'nowhere');
    await page.getByText('The address names no page').waitFor();
    await go('');
    await page.goto(`${studio.address}#/runs/nothing`);
    await page.getByText("There is no run 'nothing' here").waitFor();
  });

  it('says of the first answers that they are the first, until all are there in their place', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address);
    const asked: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // What the server says while it reads a large run; here it has read all before it can be asked.
    await page.route(/\/explore\?head=1$/, async (route) => {
      const response = await route.fetch();
      const whole = (await response.json()) as Explored;
      const [variants, first] = [5, whole.first.slice(0, 5)];
      const groups = [{ ...whole.groups[0], count: variants }];
      await route.fulfill({ response, json: { ...whole, variants, first, groups, partial: true } });
    });
    await page.route(/\/explore$/, async (route) => {
      await held;
      await route.continue();
    });
    page.on('request', (request) => {
      if (/\/(sheet|variants)\?/.test(request.url())) asked.push(request.url());
    });
    await go('runs/runs-first/explore');
    const totals = page.locator('.totals');
    await totals.filter({ hasText: 'the first of them; all are being read' }).waitFor();
    expect(await totals.innerText()).toContain('5 pictures');
    expect(await page.locator('.tile').count()).toBe(5);
    expect(asked.filter((url) => !url.includes('head=1'))).toEqual([]);
    expect(page.url()).not.toContain('head');
    release();
    await totals.filter({ hasText: '240 pictures' }).waitFor();
    expect(await totals.innerText()).not.toContain('being read');
    await expect.poll(() => page.locator('.tile').count()).toBeGreaterThan(5);
  });

  it('says that a filter finds none among the first answers, until all are there', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/explore\?outcome=wrong&head=1$/, async (route) => {
      const response = await route.fetch();
      const whole = (await response.json()) as Explored;
      await route.fulfill({ response, json: { ...whole, variants: 0, first: [], groups: [], partial: true } });
    });
    await page.route(/\/explore\?outcome=wrong$/, async (route) => {
      await held;
      await route.continue();
    });
    await go('runs/runs-first/explore?outcome=wrong');
    const none = page.getByText('None among the first answers; all are being read …');
    await none.waitFor();
    await page.getByText('outcome: wrong').waitFor();
    release();
    await page.locator('.tile').first().waitFor();
    expect(await none.count()).toBe(0);
  });
});
