import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
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
});
