import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Explored } from '../../src/contracts/studio/explore.ts';
import { openBrowser } from '../support/browser.ts';
import { makeRunFolder } from '../support/run-folder.ts';
import { expectAccessible, type RunningStudio, startStudio, startStudioProcess, visit } from '../support/studio.ts';

/** Markup, formula, escape and path in one; must be seen as it stands. */
const nasty = '<img src=x onerror=alert(1)> & "model" \u001b[31m';

/** In the page: every text that it has shown, frame by frame. */
const rememberTexts = `
  globalThis.textsSeen = [];
  const look = () => {
    const text = document.querySelector('main')?.innerText ?? '';
    if (text && text !== globalThis.textsSeen.at(-1)) globalThis.textsSeen.push(text);
    requestAnimationFrame(look);
  };
  look();`;

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

  it('shows what a deep link names when it is opened the moment the studio has started, and nothing else before', async () => {
    const fresh = await startStudioProcess([], { cwd: home });
    try {
      const context = await browser.newContext();
      await context.addInitScript(rememberTexts);
      const link = 'runs/runs-first/explore?model=plain&scenario=blur-background&outcome=wrong&sort=fails';
      const { page, complaints } = await visit(context, fresh.address, link);
      await page.locator('.tile').first().waitFor();
      const { variants } = (await (await fetch(`${fresh.address}api/${link}`)).json()) as Explored;
      await page
        .locator('.totals')
        .filter({ hasText: `${variants} pictures` })
        .waitFor();
      expect(variants).toBeGreaterThan(0);
      for (const chip of ['model: plain', 'scenario: blur-background', 'outcome: wrong'])
        await page.locator('.chips').getByText(chip).waitFor();
      const texts = (await page.evaluate('globalThis.textsSeen')) as string[];
      expect(texts.length).toBeGreaterThan(0);
      const counts = texts.flatMap((text) =>
        Array.from(text.matchAll(/(\d+) pictures/g), ([, count]) => Number(count)),
      );
      expect(new Set(counts)).toEqual(new Set([variants]));
      expect(
        texts.filter((text) => /There is (no|nothing)|cannot be read|names no page|None among/i.test(text)),
      ).toEqual([]);
      // The run's photographs are not there.
      expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    } finally {
      await fresh.stop();
    }
  });

  it('keeps numbers in sight beside names of any length, and says which pictures cannot be read', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sceneshift-studio-'));
    const long = 'm'.repeat(120);
    await makeRunFolder(join(other, 'runs', 'first'), { models: [long, 'plain'], classes: [long, 'cat'], perClass: 4 });
    await mkdir(join(other, 'photos', 'cat'), { recursive: true });
    await writeFile(join(other, 'photos', 'cat', 'a.jpg'), 'no picture');
    const fresh = await startStudio([join(other, 'runs', 'first'), join(other, 'photos')], { cwd: other });
    try {
      const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
      const { page, go, shoot } = await visit(context, fresh.address);
      const asked = (await (await fetch(`${fresh.address}api/workspace`)).json()) as Record<string, { id: string }[]>;
      const run = asked.runs[0].id;
      const inSight = async (selector: string) => {
        const last = page.locator(selector).last();
        await last.waitFor();
        const box = await last.boundingBox();
        expect(box && box.x + box.width, selector).toBeLessThanOrEqual(1000);
      };
      await go('');
      await inSight('main tbody td');
      await go(`runs/${run}`);
      await inSight('.matrix td a');
      await inSight('main td.number a');
      await inSight('main select');
      expect(await page.locator(`th[title="${long}"]`).count()).toBe(1);
      await expectAccessible(page);
      await shoot('long-names');
      await go(`runs/${run}/sample?id=cat/1.jpg&scenario=blur-background`);
      await page.getByText('cat/1.jpg as blur-background cannot be shown').waitFor();
      await inSight('.answers td.number a');
      const dataset = asked.datasets.find(({ id }) => id.includes('photos'))?.id;
      await go(`annotate/${dataset}?show=all`);
      await page.getByText('The photograph cannot be read').waitFor();
      await shoot('cannot-be-read');
    } finally {
      await fresh.stop();
      await rm(other, { recursive: true, force: true });
    }
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
