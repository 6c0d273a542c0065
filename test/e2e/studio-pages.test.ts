import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openReview } from '../../src/review/review.ts';
import { openBrowser } from '../support/browser.ts';
import { sceneshift } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { mouseOnly, rememberListeners, unreachable } from '../support/keyboard.ts';
import { plainNet } from '../support/onnx.ts';
import { makeReviewFolder } from '../support/review-folder.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { expectAccessible, type RunningStudio, startStudio, visit } from '../support/studio.ts';

const models = ['one', 'two', 'three'];

/** A number of a table or a chart, and where it leads. */
interface Shown {
  readonly text: string;
  readonly href: string | null;
}

/** Cells that begin with a digit or a sign, and points of charts; dates are no numbers. */
const numbersOf = (page: Page): Promise<Shown[]> =>
  page.locator('main td, main .plot-box svg circle').evaluateAll((all) =>
    all.flatMap((element) => {
      const text =
        element.tagName === 'circle'
          ? element.textContent
          : (element as unknown as { innerText: string }).innerText.trim();
      const isNumber = element.tagName === 'circle' || (/^[<−+]?\d/.test(text) && !element.querySelector('time'));
      if (!isNumber) return [];
      const links = [element.closest('a'), ...element.querySelectorAll('a')].filter((link) => link !== null);
      const isButton = element.querySelector('button, summary, label') !== null;
      if (!links.length) return isButton ? [] : [{ text, href: null }];
      return links.map((link) => ({ text, href: link.getAttribute('href') }));
    }),
  );

/** Nought has nothing behind it. */
const withoutPictures = (numbers: readonly Shown[]) =>
  numbers.filter(({ text, href }) => href === null && text !== '0');

/** Numbers of tables and charts. The queue's are of chunks on their way, which have no pictures yet. */
describe('every page of the studio', () => {
  let home: string;
  let browser: Browser;
  let studio: RunningStudio;
  let site: { address: string; server: Server };
  let id: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-pages-'));
    const { manifest, folder } = await makeDataset(join(home, 'data'), { perClass: 5 });
    const networks: string[] = [];
    for (const name of models) {
      const path = join(home, `${name}.onnx`);
      networks.push('--model', path);
      await writeFile(
        path,
        plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3, seed: name }),
      );
      const record = { labels: ['disc', 'square', 'ring'], resize: { shortSide: 48 }, crop: 48 };
      await writeFile(`${path}.json`, JSON.stringify({ ...record, preprocessing: 'imagenet' }));
    }
    const run = join(home, 'run');
    const ask = async (...args: string[]) => {
      const ran = await sceneshift(args, { cwd: home });
      expect(ran, ran.stderr).toMatchObject({ status: 0 });
    };
    const scenarios = 'original,blur-background,grey,size:0.05';
    await ask('run', '--data', manifest, ...networks, '--scenarios', scenarios, '--threads', '1', '--out', run);
    await ask('mine', run, '--surrogates', 'one,two', '--targets', 'three', '--at-least', '1');
    await makeReviewFolder(join(run, 'review'), { pictures: 6, gold: 1, votes: 2 });
    const review = await openReview(join(run, 'review'));
    for (const [i, { id: item }] of review.queue.items.entries())
      for (const [r, reviewer] of ['Ada', 'Bob'].entries())
        await review.vote(
          reviewer,
          item,
          Object.fromEntries(
            review.queue.questions.map(({ id: question, answers }) => [question, answers[(r * i) % 2].value]),
          ),
        );
    await review.close();
    studio = await startStudio([run, folder], { cwd: home });
    const { runs } = (await (await fetch(`${studio.address}api/workspace`)).json()) as { runs: { id: string }[] };
    id = runs[0].id;
    // What the studio has made is in the site too.
    const map = `${studio.address}api/runs/${id}/map`;
    await fetch(map, { method: 'POST', body: JSON.stringify({ model: 'one' }) });
    const state = async () => ((await (await fetch(`${map}?model=one`)).json()) as { state: string }).state;
    await vi.waitUntil(async () => (await state()) === 'ready', { timeout: 240_000, interval: 100 });
    await ask('studio', run, '--export', join(home, 'pages', 'project', 'site'));
    [browser, site] = await Promise.all([openBrowser(), serveFolder(join(home, 'pages'))]);
    return async () => {
      await browser.close();
      site.server.close();
      await studio.stop();
      await rm(home, { recursive: true, force: true });
    };
  });

  const reviewId = async () => ((await (await fetch(`${studio.address}api/reviews`)).json()) as { id: string }[])[0].id;

  /** How many pictures an address shows; the server is asked what the page would ask. */
  async function picturesAt(page: Page, href: string): Promise<number> {
    const [path, query = ''] = href.replace(/^#\//, '').split('?');
    const api = `${studio.address}api/${path}`;
    const answered = async <T>(url: string) => {
      const answer = await fetch(url);
      expect(answer.status, `${href}: ${await answer.clone().text()}`).toBe(200);
      return (await answer.json()) as T;
    };
    if (path.endsWith('/explore')) return (await answered<{ variants: number }>(`${api}?${query}`)).variants;
    if (path.endsWith('/mine')) return (await answered<{ total: number }>(`${api}/pictures?${query}`)).total;
    if (path.endsWith('/sample')) return (await answered<{ scenarios: unknown[] }>(`${api}?${query}`)).scenarios.length;
    await page.goto(`${studio.address}#/${path}?${query}`);
    const [heading, pictures] = path.startsWith('compare')
      ? [/^(Right in|Answers that turned)/, '.flips li']
      : path.startsWith('review/')
        ? [/^Pictures$/, '.review-pictures li']
        : [/^What could not be asked$/, 'main tbody th a'];
    await page.getByRole('heading', { level: 2, name: heading }).waitFor();
    return page.locator(pictures).count();
  }

  it('has numbers that lead to the pictures behind them', async () => {
    const { page, complaints, go, shoot } = await visit(await browser.newContext(), studio.address);
    const map = `runs/${id}/map?map=one`;
    const review = await reviewId();
    const compared = new URLSearchParams({ a: id, b: id, modelA: 'one', modelB: 'two' });
    // What stands on each page when its numbers do.
    const places: [string, string][] = [
      ['', 'main td a'],
      [`runs/${id}`, '.plot-box svg a'],
      [`runs/${id}/sample?id=images/disc/disc_1.jpg`, '.answers td.number a'],
      [map, '.map-table td a'],
      [`compare?${compared}`, '.plot-box svg a'],
      [`runs/${id}/mine`, '.plot-box svg a'],
      ['review', 'main td a'],
      [`review/${review}/results`, 'main td.number a'],
      [`try?place=run:${id}&sample=images/disc/disc_1.jpg&scenario=grey`, '.try-answers tr:nth-child(3) td.number a'],
    ];
    const led = new Map<string, number>();
    for (const [place, sign] of places) {
      await go(place);
      await page.locator(sign).first().waitFor();
      if (place.startsWith(`runs/${id}`) && !place.includes('/')) await page.locator('.matrix td a').first().waitFor();
      const numbers = await numbersOf(page);
      await shoot(`numbers-${place.replaceAll(/\W+/g, '-')}`);
      expect(numbers.length, place).toBeGreaterThan(1);
      expect(withoutPictures(numbers), place).toEqual([]);
      const other = await page.context().newPage();
      for (const { text, href } of numbers) {
        if (href === null) continue;
        const found = led.get(href) ?? (await picturesAt(other, href));
        led.set(href, found);
        expect(found, `${place}: ${text} leads to ${href}`).toBeGreaterThan(0);
      }
      await other.close();
    }
    expect(led.size).toBeGreaterThan(60);
    expect(complaints).toEqual([]);
  });

  it('has counts that lead to as many pictures', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address, `runs/${id}`);
    const cells = page.locator('.matrix td a');
    await cells.first().waitFor();
    const titles = await cells.evaluateAll((all) =>
      all.map((link) => [link.getAttribute('title'), link.getAttribute('href')]),
    );
    for (const [title, href] of titles) {
      const said = Number(/click for (?:the|all) (\d+)/.exec(title ?? '')?.[1]);
      expect(await picturesAt(page, href as string), title as string).toBe(said);
    }
    await go(`runs/${id}/mine`);
    const sets = page.locator('.row-buttons a', { hasText: 'picture' });
    await sets.first().waitFor();
    const texts = await sets.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
    for (const [text, href] of texts)
      expect(await picturesAt(page, href as string)).toBe(Number(/(\d+) picture/.exec(text ?? '')?.[1]));
  });

  it('has counts that are choices among the filters of Explore, and links above its groups', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address, `runs/${id}/explore?group=scenario`);
    const choices = page.locator('.filters .choice');
    await choices.first().waitFor();
    const [shown, chosen] = [await page.locator('.filters .number').count(), await choices.count()];
    expect(shown).toBe(chosen);
    expect(chosen).toBeGreaterThan(10);
    const totals = page.locator('.totals');
    const all = await totals.innerText();
    const showAll = async () => {
      await go(`runs/${id}/explore?group=scenario`);
      await totals.filter({ hasText: all }).waitFor();
    };
    for (const i of [0, 2, 4, 6, 8]) {
      await showAll();
      const number = choices.nth(i).locator('.number');
      const said = await number.innerText();
      await number.click();
      await totals.filter({ hasText: `· ${said} answers ·` }).waitFor();
    }
    await showAll();
    await page.locator('.grid-head').first().waitFor();
    const heads = await page
      .locator('.grid-head')
      .evaluateAll((all) => all.map((head) => head.querySelectorAll('a').length));
    expect(heads.length).toBeGreaterThan(0);
    for (const links of heads) expect(links).toBe(2);
  });

  it('is in the exported site, where numbers lead to pictures too, below any path', async () => {
    const address = `${site.address}project/site/`;
    const { page, complaints, go, shoot } = await visit(await browser.newContext({ colorScheme: 'dark' }), address);
    const asked: string[] = [];
    page.on('response', (response) => {
      if (!response.ok() && response.status() !== 304) asked.push(`${response.status()} ${response.url()}`);
    });
    const review = await reviewId();
    const places: [string, string][] = [
      ['', 'main td a'],
      [`runs/${id}`, '.plot-box svg a'],
      [`runs/${id}/sample?id=images/disc/disc_1.jpg`, '.answers td.number a'],
      [`runs/${id}/mine`, '.plot-box svg a'],
      [`runs/${id}/map`, '.map-table td a'],
      ['compare', '.plot-box svg a'],
      ['review', 'main td a'],
      [`review/${review}/results?show=all`, '.review-pictures img'],
    ];
    const hrefs = new Set<string>();
    for (const [place, sign] of places) {
      await go(place);
      await page.locator(sign).first().waitFor();
      await expectAccessible(page);
      await shoot(`site-${place.replaceAll(/\W+/g, '-')}`);
      const numbers = await numbersOf(page);
      expect(numbers.length, place).toBeGreaterThan(1);
      expect(withoutPictures(numbers), place).toEqual([]);
      for (const { href } of numbers) if (href) hrefs.add(href);
      expect(await page.content()).not.toContain(home);
    }
    // Each leads to a page that the site has, and that finds something to say.
    for (const href of hrefs) {
      await page.goto(`${address}${href}`);
      await page
        .locator('.tile, .mined-tiles li, .strip li, .review-pictures li, .flips li, .page table')
        .first()
        .waitFor();
      expect(await page.getByText('There is nothing here').count(), href).toBe(0);
      expect(await page.locator('.error').count(), href).toBe(0);
    }
    await go(`runs/${id}/mine`);
    await page.locator('.mined-tiles img').first().waitFor();
    expect(await page.getByRole('link', { name: 'Try' }).count()).toBe(0);
    expect([...complaints, ...asked]).toEqual([]);
  });

  it('lists its keys on ?, and all of it is reached by keyboard', async () => {
    const source = await readFile(new URL('../../web/src/pages.ts', import.meta.url), 'utf8');
    const paths = Array.from(source.matchAll(/\bpath: '([^']*)'/g), ([, path]) => path);
    expect(paths.length).toBeGreaterThan(10);
    const review = await reviewId();
    const { datasets } = (await (await fetch(`${studio.address}api/workspace`)).json()) as {
      datasets: { id: string }[];
    };
    const [dataset, sample] = [datasets[0].id, 'images/disc/disc_1.jpg'];
    // Where each page is seen, what stands on it when it is there, and a key of its own.
    const places: Record<string, [place: string, sign: string, key?: string]> = {
      '': ['', 'main td a'],
      compare: ['compare', '.plot-box svg a'],
      start: ['start', '.start-form button.main'],
      try: [`try?place=run:${id}&sample=${sample}`, '.try-answers td.number a', 'a larger object'],
      annotate: ['annotate', 'main h1'],
      'annotate/:dataset': [`annotate/${dataset}?show=all`, '.mask-tile', 'open the first'],
      'annotate/:dataset/draw': [`annotate/${dataset}/draw?show=all&sample=${sample}`, '.stage', 'move the crosshair'],
      review: ['review', 'main td a'],
      'review/:review': [`review/${review}?as=Cy`, '.turn-picture', 'picture before'],
      'review/:review/results': [`review/${review}/results?show=all`, '.review-pictures img'],
      'runs/:run': [`runs/${id}`, '.plot-box svg a'],
      'runs/:run/explore': [`runs/${id}/explore`, '.tile img', 'one row down'],
      'runs/:run/map': [`runs/${id}/map?map=one`, '.map-table td a', 'set a point of the line'],
      'runs/:run/mine': [`runs/${id}/mine`, '.plot-box svg a'],
      'runs/:run/sample': [`runs/${id}/sample?id=${sample}`, '.strip img', 'next scenario'],
    };
    expect(Object.keys(places).sort(), 'a place for every page of web/src/pages.ts').toEqual([...paths].sort());
    const context = await browser.newContext();
    await context.addInitScript(rememberListeners);
    const { page, go } = await visit(context, studio.address);
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const [path, [place, sign, key = 'to the list of runs']] of Object.entries(places)) {
      await go(place);
      await page.locator(sign).first().waitFor();
      await page.keyboard.press('?');
      await dialog.waitFor();
      expect(await dialog.innerText(), path).toContain(key);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await unreachable(page), `${path}: not reached by Tab`).toEqual([]);
      expect(await mouseOnly(page), `${path}: heeds the mouse alone`).toEqual([]);
    }
  });

  it('is looked at in a way that finds what the keyboard does not reach, and what heeds the mouse alone', async () => {
    const context = await browser.newContext();
    await context.addInitScript(rememberListeners);
    const { page } = await visit(context, studio.address);
    await page.locator('main td a').first().waitFor();
    await page.evaluate(`{
      const add = (tag, text) => document.querySelector('#studio').appendChild(Object.assign(document.createElement(tag), { textContent: text }));
      add('button', 'not by Tab').tabIndex = -1;
      add('div', 'mouse alone').addEventListener('click', () => {});
      const left = add('div', 'no longer');
      const heed = () => {};
      left.addEventListener('click', heed);
      left.removeEventListener('click', heed);
    }`);
    expect(await unreachable(page, 1)).toEqual(['<button tabindex="-1">not by Tab</button>']);
    expect(await mouseOnly(page)).toEqual(['<div>mouse alone</div>']);
  });

  it('leaves to a focused element the keys that it needs', async () => {
    const sample = 'images/disc/disc_1.jpg';
    const { page, go } = await visit(await browser.newContext(), studio.address, `runs/${id}/sample?id=${sample}`);
    const slider = page.getByLabel(/From the edit/);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.inputValue()).toBe('51');
    expect(page.url()).not.toContain('scenario=');
    const { datasets } = (await (await fetch(`${studio.address}api/workspace`)).json()) as {
      datasets: { id: string }[];
    };
    await go(`annotate/${datasets[0].id}/draw?show=all&sample=${sample}`);
    await page.locator('.stage').waitFor();
    await page.getByRole('link', { name: 'All masks' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.mask-tile').first().waitFor();
  });

  it('has a map on which a line is drawn by keys', async () => {
    const { page } = await visit(await browser.newContext(), studio.address, `runs/${id}/map?map=one`);
    const map = page.getByRole('application', { name: /^Map of/ });
    await map.waitFor();
    await map.focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) for (let i = 0; i < 13; i++) await page.keyboard.press(key);
    };
    await press('ArrowLeft', 'ArrowUp');
    for (const way of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press('Enter');
      await press(...Array<string>(2).fill(way));
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    await page.waitForURL(/lasso=/);
    const found = (await (await fetch(`${studio.address}api/runs/${id}/explore`)).json()) as { variants: number };
    await page.getByText(`${found.variants} pictures`).waitFor();
  });
});
