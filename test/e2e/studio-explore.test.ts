import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { sceneshift } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { slowly } from '../support/programs.ts';
import { serveFolder } from '../support/serve-folder.ts';
import {
  expectAccessible,
  expectAccessibleInBoth,
  expectPictures,
  type RunningStudio,
  startStudio,
  visit,
} from '../support/studio.ts';

/** A name that would be markup, were it not text; and two names, where lists are cut at commas. */
const nasty = 'first, <b>&"net"';

describe('a run in the studio', () => {
  let home: string;
  let browser: Browser;
  let light: BrowserContext;
  let dark: BrowserContext;
  let studio: RunningStudio;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-'));
    const { manifest } = await makeDataset(join(home, 'data'), { perClass: 6 });
    const models = [];
    for (const name of [nasty, 'second']) {
      const path = join(home, `${name.replaceAll(/\W/g, '')}.onnx`);
      await writeFile(
        path,
        plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3, seed: name }),
      );
      const record = {
        labels: ['disc', 'square', 'ring'],
        resize: { shortSide: 48 },
        crop: 48,
        preprocessing: 'imagenet',
      };
      await writeFile(`${path}.json`, JSON.stringify(record));
      models.push({ model: path, name });
    }
    const run = join(home, 'run');
    const scenarios = ['original', 'blur-background', 'random-background', 'grey', 'size:0.05'];
    await writeFile(
      join(home, 'sceneshift.yaml'),
      JSON.stringify({ data: manifest, models, scenarios, folds: 3, out: run, threads: 1 }),
    );
    const ran = await sceneshift(['run', '--config', join(home, 'sceneshift.yaml')], { cwd: home });
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    [browser, studio] = await Promise.all([
      openBrowser(),
      startStudio([run, '--model', slowly(models[0].model, { delayMs: 500 })], { cwd: home }),
    ]);
    [light, dark] = await Promise.all([
      browser.newContext({ colorScheme: 'light' }),
      browser.newContext({ colorScheme: 'dark' }),
    ]);
    return async () => {
      await browser.close();
      await studio.stop();
      await rm(home, { recursive: true, force: true });
    };
  });

  /** All variants, and so all answers of two models; `run` adds the control of pasting by itself. */
  const variants = async () => {
    const found = await fetch(`${studio.address}api/runs/${await runId()}/explore`);
    return ((await found.json()) as { variants: number }).variants;
  };
  const runId = async () => {
    const { runs } = (await (await fetch(`${studio.address}api/workspace`)).json()) as {
      runs: { id: string; folder: string }[];
    };
    return runs.find(({ folder }) => folder === join(home, 'run'))?.id ?? '';
  };

  it('is explored: filters, groups, the filter in the address, every tile a picture', async () => {
    const id = await runId();
    const { page, complaints, shoot, go } = await visit(light, studio.address, `runs/${id}/explore`);
    const totals = page.getByRole('status').first();
    const all = await variants();
    expect(all).toBeGreaterThanOrEqual(18 * 5);
    await page.getByText(`${all} pictures · ${2 * all} answers`).waitFor();
    await page.locator('.tile img').first().waitFor();
    // The photographs of a screen come on one sheet, and of these answers alone.
    const sheet = await fetch(`${studio.address}api/runs/${id}/sheet?from=0&of=${2 * all}`);
    expect(await sharp(await sheet.arrayBuffer()).metadata()).toMatchObject({
      format: 'jpeg',
      width: 800,
      height: 480,
    });
    expect((await fetch(`${studio.address}api/runs/${id}/sheet?from=0&of=1`)).status).toBe(404);
    await page.getByRole('checkbox', { name: /^wrong/ }).check();
    await page.waitForURL(/outcome=wrong/);
    await page.locator('.chips').getByText('outcome: wrong').waitFor();
    await page.locator('.choice', { hasText: 'grey' }).getByRole('checkbox').check();
    await page.waitForURL(/scenario=grey/);
    const { wrong } = await countWrong(studio.address, id, 'grey');
    await page.getByText(`${wrong} answers · 100.0 % wrong`).waitFor();
    const narrowed = await totals.innerText();
    await page.getByLabel('Group').selectOption('class');
    await page.locator('.grid-head').first().waitFor();
    await shoot('explore-filtered-light');
    // The link shows the same thing to someone else.
    const other = await visit(dark, page.url().split('#')[0], page.url().split('#/')[1]);
    await other.page.locator('.grid-head').first().waitFor();
    await other.page.getByText(narrowed.replaceAll('\n', ' ')).waitFor();
    await expectPictures(other.page);
    await other.shoot('explore-dark');
    await expectAccessibleInBoth(page);
    await page.locator('.chips').getByText('scenario: grey').click();
    await page.waitForURL((url) => !url.href.includes('scenario=grey'));
    await go(`runs/${id}/explore?size=0.9-1`);
    await page.getByText('0 pictures').waitFor();
    await go(`runs/${id}/explore?outcome=maybe`);
    await page.getByText('The filter in the address cannot be read').waitFor();
    expect([...complaints, ...other.complaints].filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('is walked through by keyboard, from grid to sample and back', async () => {
    const id = await runId();
    const { page } = await visit(light, studio.address, `runs/${id}/explore`);
    await page.locator('.tile img').first().waitFor();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    await page.waitForURL(/at=1/);
    await page.locator('[data-tile="1"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.waitForURL(new RegExp(`at=${(await variants()) - 1}`));
    await page.keyboard.press('o');
    await page.waitForURL(/sample\?id=/);
    await page.locator('.strip img').first().waitFor();
    const before = page.url();
    await page.keyboard.press('p');
    await page.waitForURL((url) => url.href !== before);
    await page.goBack();
    await page.keyboard.press('w');
  });

  it('shows a sample: slider, mask and border, stored and computed answers, where a model looks', async () => {
    const id = await runId();
    const { page, complaints, shoot } = await visit(
      light,
      studio.address,
      `runs/${id}/sample?id=${encodeURIComponent('images/disc/disc_1.jpg')}&scenario=size:0.05`,
    );
    await page.locator('.strip li').nth(4).waitFor();
    expect(await page.locator('.answers tbody th').allInnerTexts()).toEqual([nasty, 'second']);
    await page.keyboard.press('b');
    await page.locator('img[alt="border of the object in size:0.05"]').waitFor();
    await page.getByLabel(/From the edit/).fill('20');
    await page.getByRole('button', { name: /Five best/ }).click();
    await page.locator('.best').nth(1).waitFor();
    // The first of the five is the answer that the run stored.
    const stored = await page.locator('.answers tbody tr:not(:has(.best)) td:nth-child(2)').allInnerTexts();
    const best = await page.locator('.best li:first-child').allInnerTexts();
    expect(best.map((text) => text.trim().split(' ')[0])).toEqual(stored);
    await page.getByRole('button', { name: 'map: where second looks' }).click();
    await page.locator('img[alt^="where the model looks"]').waitFor();
    await expectPictures(page);
    await expectAccessibleInBoth(page, () => shoot('sample-dark'));
    await shoot('sample-light');
    expect(complaints).toEqual([]);
  });

  it('shows a sample in the very pixels that render writes and the models saw', async () => {
    const id = await runId();
    const scenarios = ['original', 'blur-background', 'random-background', 'size:0.05'];
    const out = join(home, 'rendered');
    const config = ['--config', join(home, 'sceneshift.yaml')];
    const options = ['--scenarios', scenarios.join(','), '--format', 'png', '--out', out];
    const done = await sceneshift(['render', ...config, ...options], { cwd: home });
    expect(done, done.stderr).toMatchObject({ status: 0 });
    const written = (await readdir(out, { recursive: true })).filter((path) => /images.*disc_1\.png$/.test(path));
    const { page } = await visit(light, studio.address, `runs/${id}/sample?id=images/disc/disc_1.jpg`);
    for (const scenario of scenarios) {
      await page.goto(`${studio.address}#/runs/${id}/sample?id=images/disc/disc_1.jpg&scenario=${scenario}`);
      const shown = page.locator(`.slider-base[alt$="as ${scenario}"]`);
      await shown.waitFor();
      const source = await shown.getAttribute('src');
      const bytes = Buffer.from(await (await fetch(new URL(source ?? '', studio.address))).arrayBuffer());
      const file = written.find((path) => path.includes(scenario.replace(':', '@')));
      expect(file, `${scenario} among ${written.join(', ')}`).toBeDefined();
      const [own, theirs] = await Promise.all(
        [bytes, await readFile(join(out, file as string))].map((input) => sharp(input).removeAlpha().raw().toBuffer()),
      );
      expect(own.equals(theirs), scenario).toBe(true);
    }
  });

  it('shows numbers that lead to the pictures behind them', async () => {
    const id = await runId();
    const { page, complaints, shoot } = await visit(light, studio.address, `runs/${id}`);
    const cell = page.locator('.matrix tbody tr').nth(1).locator('td a').nth(1);
    await cell.waitFor();
    await page.locator('.plot-box svg a').first().waitFor();
    await expectAccessibleInBoth(page, () => shoot('overview-dark'));
    await shoot('overview-light');
    await cell.click();
    await page.waitForURL(/model=second.*scenario=blur-background|scenario=blur-background.*model=second/);
    await page.locator('.chips').getByText('outcome: wrong').waitFor();
    await page.goBack();
    const dot = page.locator('.plot-box svg a').first();
    await dot.focus();
    // Drawn anew in a window of another size, the figure leaves the focus where it was.
    const width = await page.locator('.plot-box svg').first().getAttribute('width');
    await page.setViewportSize({ width: 900, height: 800 });
    while ((await page.locator('.plot-box svg').first().getAttribute('width')) === width) await page.waitForTimeout(10);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/explore\?/);
    expect(complaints).toEqual([]);
  });

  it('compares two models, paired, and shows what turned', async () => {
    const id = await runId();
    const query = new URLSearchParams({ a: id, b: id, modelA: nasty, modelB: 'second' });
    const { page, complaints, shoot } = await visit(light, studio.address, `compare?${query}`);
    await page.getByText(/Over \d+ scenarios B is right/).waitFor();
    await page.locator('.plot-box svg a').first().waitFor();
    // Gained or lost; where neither is, nothing leads anywhere.
    const cell = page.locator('tbody td:nth-of-type(6) a, tbody td:nth-of-type(7) a').first();
    const turned = Number(await cell.innerText());
    await cell.click();
    await page.getByRole('heading', { name: new RegExp(`^Right in [AB] alone: .+ \\(${turned}\\)$`) }).waitFor();
    expect(await page.locator('.flips li').count()).toBe(turned);
    await expectAccessibleInBoth(page);
    await shoot('compare-light');
    expect(complaints).toEqual([]);
  });

  it('is mapped by a network’s features; a line drawn around points is a filter', async () => {
    const id = await runId();
    const { page, complaints, shoot } = await visit(light, studio.address, `runs/${id}/map?map=second`);
    await page.getByRole('button', { name: 'Make the map' }).click();
    await page.locator('.scatter').waitFor();
    expect(await page.locator('.map-table tbody tr').count()).toBeGreaterThan(1);
    await expectAccessibleInBoth(page);
    await shoot('map-light');
    const box = await page.locator('.scatter').boundingBox();
    if (!box) throw new Error('no map');
    await page.mouse.move(box.x + 3, box.y + 3);
    await page.mouse.down();
    const edge = Math.min(box.width, box.height) - 3;
    for (const [x, y] of [
      [0.3, 0],
      [0.6, 0],
      [1, 0],
      [1, 0.4],
      [1, 1],
      [0.5, 1],
      [0, 1],
    ])
      await page.mouse.move(box.x + 3 + x * (edge - 3), box.y + 3 + y * (edge - 3));
    await page.mouse.up();
    await page.waitForURL(/lasso=/);
    await page.getByText(`${await variants()} pictures`).waitFor();
    await page.goBack();
    await page.locator('.map-table tbody tr').first().locator('td a').first().click();
    await page.waitForURL(/cluster=/);
    await page
      .locator('.chips')
      .getByText(/cluster: /)
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('can be started from a form made from the declarations', async () => {
    const { page, complaints, shoot } = await visit(light, studio.address, 'start');
    await page.getByLabel('Name').fill('again');
    await page.getByRole('checkbox', { name: 'second' }).check();
    await page.getByRole('button', { name: 'A first look' }).click();
    await page.getByLabel('blur-background: sigma', { exact: true }).fill('5');
    await expectAccessibleInBoth(page);
    await shoot('start-light');
    await page.getByRole('button', { name: /^Start: 1 model/ }).click();
    await page.getByRole('link', { name: /again/ }).waitFor();
    await page.getByRole('link', { name: /again/ }).click();
    await page.locator('.state.finished').waitFor();
    const record = JSON.parse(await readFile(join(home, 'runs', 'again', 'run.json'), 'utf8'));
    expect(record.scenarios).toContain('blur-background:5');
    expect(record.models.map(({ name }: { name: string }) => name)).toEqual(['second']);
    await page.goto(`${studio.address}#/start`);
    await page.getByLabel('Name').fill('again');
    await page.getByRole('checkbox', { name: 'second' }).check();
    await page.getByRole('button', { name: /^Start: 1 model/ }).click();
    await page.getByText('There is a folder again already').waitFor();
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('can be stopped and continued while it is under way', async () => {
    const { page, complaints } = await visit(light, studio.address, 'start');
    await page.getByLabel('Name').fill('long');
    await page.getByRole('checkbox', { name: 'slow' }).check();
    await page.getByRole('button', { name: 'ImageNet-C' }).click();
    await page.getByRole('button', { name: /^Start: 1 model/ }).click();
    await page.getByRole('link', { name: /long/ }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.state.stopped').waitFor();
    await page.getByText('Interrupted; the same command goes on from here').waitFor();
    const record = JSON.parse(await readFile(join(home, 'runs', 'long', 'run.json'), 'utf8'));
    expect(record.finished).toBeNull();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.state.running').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.state.stopped').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is exported as a site that any server can serve from any path', async () => {
    const site = join(home, 'site');
    const done = await sceneshift(
      ['studio', join(home, 'run'), '--export', site, '--runs', join(home, 'none'), '--json'],
      { cwd: home },
    );
    expect(done, done.stderr).toMatchObject({ status: 0 });
    expect(JSON.parse(done.stdout)).toMatchObject({ pictures: await variants(), missing: 0 });
    // Whatever samples, scenarios and models are called, the files have names that need no escaping and lie below the site.
    for (const path of await readdir(site, { recursive: true })) expect(path).toMatch(/^[\w.-]+(\/[\w.-]+)*$/);
    const { address: root, server } = await serveFolder(home);
    const address = `${root}site/`;
    try {
      const { page, complaints, shoot } = await visit(light, address);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.locator('tbody a').first().click();
      await page.locator('.matrix td a').first().waitFor();
      await page.locator('.plot-box svg a').first().waitFor();
      expect(await page.content()).not.toContain(home);
      await page.locator('.matrix tbody tr').nth(1).locator('td a').nth(1).click();
      await page.locator('.tile img').first().waitFor();
      await expectPictures(page);
      await page.locator('.chips').getByText('scenario: blur-background').click();
      await page.getByRole('link', { name: /disc_/ }).first().click();
      await page.locator('.strip li').nth(4).waitFor();
      await expectPictures(page);
      await expectAccessible(page);
      await shoot('site-sample');
      expect(complaints).toEqual([]);
      expect(asked.length).toBeGreaterThan(5);
      expect(asked.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url))).toEqual([]);
    } finally {
      server.close();
    }
    const again = await sceneshift(['studio', join(home, 'run'), '--export', join(home, 'data')], { cwd: home });
    expect(again.status).toBe(2);
    expect(again.stderr).toContain('is no exported studio');
  });

  it('has no page that axe finds fault with', async () => {
    const sample = 'images/disc/disc_1.jpg';
    // Those that no test above has looked at, and what stands on each when it is there.
    const pages: [string, string][] = [
      ['', 'main table a'],
      [`try?sample=${sample}&scenario=grey`, '.try-answers details'],
      ['annotate', 'main h1'],
      ['review', 'main h1'],
      ['nowhere', 'main h1'],
    ];
    const { page, go, shoot } = await visit(light, studio.address);
    for (const [place, sign] of pages) {
      await go(place);
      await page.locator(sign).first().waitFor();
      await expectAccessibleInBoth(page);
      await shoot(`axe-${place.replaceAll(/\W.*/g, '') || 'list'}`);
    }
  });

  it('serves no file through a link out of what it was given', async () => {
    const id = await runId();
    const secret = join(home, 'secret.jpg');
    const original = join(home, 'data', 'images', 'ring', 'ring_5.jpg');
    await writeFile(secret, await readFile(original));
    await rm(original);
    await symlink('/etc/hostname', original);
    const fresh = await startStudio([join(home, 'run')], { cwd: home });
    try {
      const answer = await fetch(
        `${fresh.address}api/runs/${id}/picture?sample=images/ring/ring_5.jpg&scenario=original`,
      );
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('link out of the folders');
      const borrowed = await fetch(
        `${fresh.address}api/runs/${id}/picture?sample=images/ring/ring_1.jpg&scenario=random-background`,
      );
      expect(borrowed.status).toBe(403);
      const fine = await fetch(`${fresh.address}api/runs/${id}/picture?sample=images/ring/ring_1.jpg&scenario=grey`);
      expect(fine.status).toBe(200);
    } finally {
      await fresh.stop();
    }
  });

  async function countWrong(address: string, id: string, scenario: string): Promise<{ wrong: number }> {
    const found = await fetch(`${address}api/runs/${id}/explore?scenario=${scenario}`);
    return found.json() as Promise<{ wrong: number }>;
  }
});
