import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser, openOffline } from '../support/browser.ts';
import { bin, sceneshift, sceneshiftEach } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

/** Every answer of a run, in an order of its own. */
async function readRows(run: string): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const columns = 'model, scenario, sample, label, prediction, probability, rankTruth';
  const query = `SELECT ${columns} FROM read_parquet('${run}/predictions/*.parquet') ORDER BY ALL`;
  const rows = (await connection.runAndReadAll(query)).getRowsJson();
  connection.closeSync();
  return rows.map((row) => JSON.stringify(row));
}

describe('the report in a browser', () => {
  let home: string;
  let run: string;
  let browser: Browser;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-report-'));
    const { manifest } = await makeDataset(join(home, 'data'), { perClass: 6 });
    const models: string[] = [];
    for (const name of ['first', 'second']) {
      const path = join(home, `${name}.onnx`);
      await writeFile(
        path,
        plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3, seed: name }),
      );
      await writeFile(
        `${path}.json`,
        JSON.stringify({
          labels: ['disc', 'square', 'ring'],
          resize: { shortSide: 48 },
          crop: 48,
          preprocessing: 'imagenet',
        }),
      );
      models.push('--model', path);
    }
    run = join(home, 'run');
    const scenarios = 'original,blur-background,random-background,grey,size:0.05';
    const ran = await sceneshift([
      'run',
      '--data',
      manifest,
      ...models,
      '--scenarios',
      scenarios,
      '--folds',
      '3',
      '--threads',
      '1',
      '--out',
      run,
    ]);
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    expect(ran.stdout).toContain(join(run, 'report.html'));
    browser = await openBrowser();
    return async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    };
  });

  const open = async (options = {}) => openOffline(await browser.newContext(options), join(run, 'report.html'));

  it('opens from disk with the network off, whole and without a complaint', async () => {
    expect((await stat(join(run, 'report.html'))).size).toBeLessThan(6e6);
    const { page, complaints } = await open();
    const sections = await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id));
    expect(sections).toEqual(['verdict', 'scores', 'pictures', 'drops', 'regression', 'hardest', 'method']);
    const broken = await page.locator('img').evaluateAll((all) => all.filter((image) => !image.naturalWidth).length);
    expect(broken).toBe(0);
    expect(await page.locator('.tile').count()).toBeGreaterThanOrEqual(5 * 6);
    expect(complaints).toEqual([]);
  });

  it('shows the verdict and the first score on the first screen', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 800 } });
    // The made-up networks guess, and that is what comes first.
    expect(await page.locator('#verdict .alarm p').count()).toBe(2);
    expect(await page.locator('.verdict p').count()).toBeGreaterThan(0);
    for (const part of ['.verdict', '#table-scores tbody tr:first-child']) {
      const box = await page.locator(part).boundingBox();
      expect(box && box.y + box.height, part).toBeLessThan(800);
    }
  });

  it('fits its column: no figure or page wider than the window, wide or narrow', async () => {
    for (const width of [1280, 600]) {
      const { page } = await open({ viewport: { width, height: 800 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  it('hands out a figure as SVG and CSV and a table as Markdown and LaTeX', async () => {
    const { page, complaints } = await open({ acceptDownloads: true });
    const save = async (selector: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const svg = await save('#figure-drops button[data-svg]');
    expect(svg.name).toBe('drops.svg');
    expect(svg.text).toMatch(/^<svg .*<\/svg>$/s);
    expect((await save('#figure-drops button[data-file]')).text).toMatch(
      /^model,scenario,drop,low,high\n(first|second),/,
    );
    expect((await save('#table-scores button[data-file="scores.md"]')).text).toMatch(/^\| Model \|/);
    expect((await save('#table-scores button[data-file="scores.tex"]')).text).toContain('\\toprule');
    expect(complaints).toEqual([]);
  });

  it('prints folded parts opened, without buttons', async () => {
    const { page } = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.get').first().isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('details:not([open])').count()).toBe(0);
  });

  it('is written again, as text or in parts, by the report command', async () => {
    const [again, text, table, parts, nowhere] = await sceneshiftEach([
      ['report', run, '--json'],
      ['report', run, '--format', 'md'],
      ['report', run, '--format', 'csv'],
      ['report', run, '--format', 'latex', '--out', `${join(home, 'parts')}/`, '--json'],
      ['report', join(home, 'data')],
    ]);
    expect(JSON.parse(again.stdout)).toMatchObject({ report: join(run, 'report.html'), bytes: expect.any(Number) });
    expect(text.stdout).toMatch(/^# Does it recognise the object/);
    expect(table.stdout).toMatch(/^model,scenario,n,top1/);
    expect(JSON.parse(parts.stdout).files).toContain(join(home, 'parts/tables/regression.tex'));
    expect(nowhere).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^✗ No run\.json in .*\n$/),
    });
  });

  it('has a command that gives the same rows from any other folder, its paths given relative to the first', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'sceneshift elsewhere '));
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    const asked = ['run', '--data', join('data', 'manifest.csv'), '--model', 'first.onnx', '--max-errors', '0.3'];
    const first = [
      ...asked,
      '--scenarios',
      'original,random-background',
      '--seed',
      '3',
      '--threads',
      '1',
      '--out',
      'relative',
    ];
    expect(await sceneshift(first, { cwd: home })).toMatchObject({ status: 0 });
    const { page } = await openOffline(await browser.newContext(), join(home, 'relative', 'report.html'));
    const command = (await page.locator('code, pre').allTextContents()).find((text) => text.includes('sceneshift run'));
    await page.context().close();
    expect(command).toContain('--max-errors 0.3');
    // As typed into a shell, which finds the program by its name.
    await symlink(bin, join(elsewhere, 'sceneshift'));
    await promisify(execFile)('sh', ['-c', `${command}`], {
      cwd: elsewhere,
      env: { ...process.env, PATH: `${elsewhere}:${process.env.PATH}` },
    });
    const rows = await readRows(join(home, 'relative'));
    expect(rows).toHaveLength(3 * 18);
    expect(await readRows(join(elsewhere, 'RUN'))).toEqual(rows);
  });
});
