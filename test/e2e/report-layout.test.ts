import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../src/scenarios/presets.ts';
import { openBrowser, openOffline } from '../support/browser.ts';
import { sceneshift } from '../support/cli.ts';
import { makeRunFolder } from '../support/run-folder.ts';

const scenarios = [
  ...new Set([
    'original',
    'paste-back',
    ...presets['ximagenet-12'].scenarios,
    ...presets['imagenet-e'].scenarios,
    'only-bg-t',
  ]),
];
const classes = [
  'airplane',
  'backpack',
  'bowl',
  'camera',
  'chair',
  'cup',
  'lamp',
  'mug',
  'pot',
  'shoe',
  'teapot',
  'vase',
];
const models = (count: number) =>
  Array.from({ length: count }, (_, i) => `residual-${i % 2 ? 'un' : ''}biased-${Math.floor(i / 2) + 1}`);

let home: string;
let browser: Browser;

async function pageOf(count: number): Promise<string> {
  const run = join(home, `run-${count}`);
  await makeRunFolder(run, {
    models: models(count),
    scenarios,
    classes,
    // Few: neither heights nor widths come from their number.
    perClass: 4,
    right: (m, s, i) => (i * 7 + s * 3 + m) % 20 >= 2 + (s % 7) + (m % 2 ? 0 : 3),
  });
  const { status, stderr } = await sceneshift(['report', run]);
  expect(status, stderr).toBe(0);
  return join(run, 'report.html');
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-layout-'));
  browser = await openBrowser();
  return async () => {
    await browser.close();
    await rm(home, { recursive: true, force: true });
  };
});

const openAt = async (path: string, width: number): Promise<Page> =>
  (await openOffline(await browser.newContext({ viewport: { width, height: 900 } }), path)).page;
// As text: the project has no browser types.
const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight');
/** Elements that stick out of the page to the right and are not inside something that scrolls. */
const cutOff = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const box = element.getBoundingClientRect();
      const scrolls = element.closest('.wide, pre');
      if (!box.width || box.right <= window.innerWidth + 1 || (scrolls && scrolls !== element)) return [];
      return [element.tagName + ' ' + (element.id || element.getAttribute('class')) + ' ends at ' + Math.round(box.right)];
    })`);
/** The smallest text of any chart, in CSS pixels as shown, everything unfolded. */
const smallestChartText = (page: Page) =>
  page.evaluate<number>(`{
    for (const details of document.querySelectorAll('details')) details.open = true;
    Math.min(...[...document.querySelectorAll('figure svg text')].flatMap((text) => {
      const matrix = text.getScreenCTM();
      if (!text.textContent.trim() || !matrix) return [];
      return [Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b)];
    }));
  }`);

const widths = [1280, 1000, 420];

describe.each([
  [1, 8000],
  [3, 8000],
  [14, 12000],
])('the report of %d models', (count, most) => {
  let page: Page;
  beforeAll(async () => {
    page = await openAt(await pageOf(count), 1280);
  });

  it(`is at most ${most} px high at 1280 px`, async () => {
    expect(await heightOf(page)).toBeLessThanOrEqual(most);
  });

  it.each(widths)('has nothing cut off at %d px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await cutOff(page)).toEqual([]);
    if (width >= 1000)
      expect(
        await page.evaluate(
          `{ const { scrollWidth, clientWidth } = document.querySelector('#table-scores .wide'); scrollWidth - clientWidth; }`,
        ),
      ).toBeLessThanOrEqual(1);
  });

  // Last: it unfolds the page.
  it.each(widths)('has chart text of at least 10 px at %d px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await smallestChartText(page)).toBeGreaterThanOrEqual(10);
  });
});
