import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openReview } from '../../src/review/review.ts';
import { openBrowser } from '../support/browser.ts';
import { sceneshift } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
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

describe('every number of the studio', () => {
  let home: string;
  let browser: Browser;
  let studio: RunningStudio;
  let site: { address: string; server: Server };
  let id: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-numbers-'));
    const { manifest } = await makeDataset(join(home, 'data'), { perClass: 5 });
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
    await ask('run', '--data', manifest, ...networks, '--scenarios', scenarios, '--out', run);
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
    await ask('studio', run, '--export', join(home, 'pages', 'project', 'site'));
    [browser, studio, site] = await Promise.all([
      openBrowser(),
      startStudio([run], { cwd: home }),
      serveFolder(join(home, 'pages')),
    ]);
    const { runs } = (await (await fetch(`${studio.address}api/workspace`)).json()) as { runs: { id: string }[] };
    id = runs[0].id;
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
    await page.locator('main h1').first().waitFor();
    const pictures = page.locator('.flips li, .review-pictures li, main td a');
    await pictures.first().waitFor();
    return pictures.count();
  }

  it('leads to the pictures behind it', async () => {
    const { page, complaints, go, shoot } = await visit(await browser.newContext(), studio.address);
    const map = `runs/${id}/map?map=one`;
    await go(map);
    await page.getByRole('button', { name: 'Make the map' }).click();
    await page.locator('.scatter').waitFor();
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
    ];
    const led = new Map<string, number>();
    for (const [place, sign] of places) {
      await go(place);
      await page.locator(sign).first().waitFor();
      if (place.startsWith(`runs/${id}`) && !place.includes('/')) await page.locator('.matrix td a').first().waitFor();
      const numbers = await numbersOf(page);
      await shoot(`numbers-${place.replaceAll(/\W+/g, '-')}`);
      expect(numbers.length, place).toBeGreaterThan(1);
      // Nought has nothing behind it.
      expect(
        numbers.filter(({ text, href }) => href === null && text !== '0'),
        place,
      ).toEqual([]);
      const other = await page.context().newPage();
      for (const { text, href } of numbers) {
        if (href === null) continue;
        const found = led.get(href) ?? (await picturesAt(other, href));
        led.set(href, found);
        // None wrong, none lost, all right: there is nothing to show, and the page says so.
        const isNone = /^[−+]?0(\.0)?\b|^100|, 0 lost|^<|^1$/.test(text);
        if (!isNone) expect(found, `${place}: ${text} leads to ${href}`).toBeGreaterThan(0);
      }
      await other.close();
    }
    expect(led.size).toBeGreaterThan(60);
    expect(complaints).toEqual([]);
  });

  it('says how many there are where it is a count', async () => {
    const { page, go } = await visit(await browser.newContext(), studio.address, `runs/${id}`);
    const cells = page.locator('.matrix td a');
    await cells.first().waitFor();
    const titles = await cells.evaluateAll((all) =>
      all.map((link) => [link.getAttribute('title'), link.getAttribute('href')]),
    );
    for (const [title, href] of titles) {
      const said = Number(/click for the (\d+) wrong/.exec(title ?? '')?.[1]);
      expect(await picturesAt(page, href as string), title as string).toBe(said);
    }
    await go(`runs/${id}/mine`);
    const sets = page.locator('.row-buttons a', { hasText: 'picture' });
    await sets.first().waitFor();
    const texts = await sets.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
    for (const [text, href] of texts)
      expect(await picturesAt(page, href as string)).toBe(Number(/(\d+) picture/.exec(text ?? '')?.[1]));
  });

  it('leads to pictures in the exported site too, below any path', async () => {
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
      expect(
        numbers.filter(({ text, href }) => href === null && text !== '0'),
        place,
      ).toEqual([]);
      for (const { href } of numbers) if (href) hrefs.add(href);
      expect(await page.content()).not.toContain(home);
    }
    // Each leads to a page that the site has, and that finds something to say.
    for (const href of hrefs) {
      await page.goto(`${address}${href}`);
      await page.locator('.totals, .mined h2, .strip li, .review-pictures, .page table').first().waitFor();
      expect(await page.getByText('There is nothing here').count(), href).toBe(0);
      expect(await page.locator('.error').count(), href).toBe(0);
    }
    await go(`runs/${id}/mine`);
    await page.locator('.mined-tiles img').first().waitFor();
    expect(await page.locator('a', { hasText: 'Compare' }).count()).toBe(0);
    expect([...complaints, ...asked]).toEqual([]);
  });
});
