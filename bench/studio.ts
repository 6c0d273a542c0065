import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser, Page } from 'playwright-core';
import { chromiumArgs } from '../test/support/chromium-args.ts';
import type { BenchInput, Figure } from './main.ts';
import { makeLargeRun } from './studio-run.ts';

const rounds = 5;

interface Question {
  readonly name: string;
  readonly query: string;
  readonly where: string;
}

const questions: Question[] = [
  { name: 'everything', query: '', where: 'true' },
  { name: 'wrong', query: 'outcome=wrong', where: 'NOT correct' },
  {
    name: 'one model, one scenario',
    query: 'model=model-3&scenario=grey',
    where: "model = 'model-3' AND scenario = 'grey'",
  },
  {
    name: 'a confusion',
    query: 'class=teapot&answered=umbrella',
    where: "label = 'teapot' AND prediction = 'umbrella'",
  },
  { name: 'confidence', query: 'confidence=0.9-1', where: 'probability BETWEEN 0.9 AND 1' },
  { name: 'a name', query: 'sample=00123', where: "contains(sample, '00123')" },
];

/** The studio over a run of two million answers, in a process of its own, against DuckDB's own query in the same minute. */
export async function benchStudio({ scratch, bin }: BenchInput): Promise<Figure[]> {
  const { run, rows } = await makeLargeRun(join(scratch, 'large'), resolve('benchmark'));
  const env = { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') };
  const figures: Figure[] = [{ name: 'answers', value: rows, unit: '' }];
  // The index is made when the run is first looked at, and kept.
  figures.push(...(await firstPages(bin, run, env, 'index made anew')));
  figures.push(...(await firstPages(bin, run, env, 'index kept')));
  const studio = await startStudio(bin, run, env);
  const api = `${studio.address}api/runs/${studio.id}`;
  try {
    const bare = await openBare(run);
    for (const { name, query, where } of questions) {
      const own = await median(async (round) => ask(`${api}/variants?${query}&count=100&round=${round}`));
      const [table, parquet] = [await median(() => bare('p', where)), await median(() => bare('parquet', where))];
      figures.push(
        { name: `${name}: a page of tiles`, value: own, unit: 's', limit: { atMost: 0.5 } },
        {
          name: `${name}: of DuckDB's bare query over the Parquet files`,
          value: own / parquet,
          unit: '×',
          limit: { atMost: 1.5 },
        },
        { name: `${name}: of DuckDB's bare query over a table in memory`, value: own / table, unit: '×' },
      );
      figures.push({
        name: `${name}: with every choice counted`,
        value: await median((round) => ask(`${api}/explore?${query}&round=${round}`)),
        unit: 's',
        limit: { atMost: 0.5 },
      });
    }
    figures.push(...(await browse(studio.address, studio.id)));
    figures.push({
      name: 'memory of the server',
      value: await residentMegabytes(studio.child.pid as number),
      unit: 'MB',
      limit: { atMost: 1000 },
    });
  } finally {
    await studio.stop();
    await rm(join(scratch, 'large'), { recursive: true, force: true });
  }
  return figures;
}

export async function startStudio(bin: string, place: string, env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'studio', place, '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  const { address } = JSON.parse(line) as { address: string };
  const { runs } = (await ask(`${address}api/workspace`)) as { runs: { id: string; rows: number }[] };
  const stop = async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  return { address, id: runs[0]?.id, child, stop };
}

export async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return response.json();
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return (performance.now() - before) / 1000;
}

async function median(act: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(() => act(round)));
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

/** The same question in SQL: the variants with an answer that passes, those that most models fail first. */
async function openBare(run: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const files = `read_parquet('${run}/predictions/*.parquet')`;
  await connection.run(`CREATE TABLE p AS SELECT * FROM ${files}`);
  await connection.run(`CREATE VIEW parquet AS SELECT * FROM ${files}`);
  return async (from: string, where: string) => {
    await connection.runAndReadAll(
      `SELECT sample, scenario, count(*) AS n, sum((NOT correct)::INTEGER) AS wrong FROM ${from} WHERE ${where}
       GROUP BY ALL ORDER BY wrong / n DESC, sample, scenario LIMIT 100`,
    );
  };
}

/** By names that the bundler does not follow: a browser cannot be bundled. */
export async function openBrowser(): Promise<Browser> {
  const packages = ['@sparticuz/chromium', 'playwright-core'];
  const [{ default: chromium }, { chromium: playwright }] = await Promise.all(packages.map((name) => import(name)));
  const args = chromiumArgs(chromium.args);
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** From the address in a new browser window to what is to be seen, of a studio that was started this moment. */
async function firstPages(bin: string, run: string, env: NodeJS.ProcessEnv, state: string): Promise<Figure[]> {
  const browser = await openBrowser();
  const studio = await startStudio(bin, run, env);
  try {
    const limit = { atMost: 1.5 };
    const page = await browser.newPage();
    const list = await timed(async () => {
      await page.goto(studio.address, { waitUntil: 'commit' });
      await page.locator('tbody th a').waitFor();
    });
    const other = await (await browser.newContext()).newPage();
    const grid = await timed(() => openGrid(other, studio.address, studio.id));
    // Without the whole index the next studio would have none to find.
    const rest = await timed(() => ask(`${studio.address}api/runs/${studio.id}/explore`));
    const memory = await residentMegabytes(studio.child.pid as number);
    return [
      { name: `first page, the list of runs, ${state}`, value: list, unit: 's', limit },
      { name: `first page, Explore with eight pictures, ${state}`, value: grid, unit: 's', limit },
      { name: `all answers instead of the first of them, ${state}`, value: grid + rest, unit: 's' },
      { name: `memory of the server, ${state}`, value: memory, unit: 'MB', limit: { atMost: 1000 } },
    ];
  } finally {
    await browser.close();
    await studio.stop();
  }
}

async function openGrid(page: Page, address: string, id: string): Promise<void> {
  await page.goto(`${address}#/runs/${id}/explore`, { waitUntil: 'commit' });
  while (((await page.evaluate(tilesSeen)) as number) < 8) await page.waitForTimeout(10);
}

/** Scrolling in a real browser. */
async function browse(address: string, id: string): Promise<Figure[]> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const first = await timed(() => openGrid(page, address, id));
    await page.evaluate(watchTiles);
    const grid = page.locator('.grid');
    for (let step = 0; step < 40; step++) {
      await grid.evaluate((element: { scrollTop: number; clientHeight: number }) => {
        element.scrollTop += 0.5 * element.clientHeight;
      });
      await page.waitForTimeout(150);
    }
    await page.waitForTimeout(1500);
    const empty = (await page.evaluate('globalThis.emptyTimes')) as number[];
    const sorted = empty.sort((a, b) => a - b);
    return [
      { name: 'a later page, Explore with eight pictures', value: first, unit: 's', limit: { atMost: 1.5 } },
      { name: 'tiles scrolled past', value: sorted.length, unit: '' },
      {
        name: 'of those with their edit, not the photograph alone, at the end',
        value: await page.locator('.tile-edit').count(),
        unit: '',
      },
      {
        name: 'of those empty for more than 200 ms',
        value: (100 * sorted.filter((time) => time > 200).length) / Math.max(1, sorted.length),
        unit: '%',
      },
      {
        name: 'a tile in sight with neither photograph nor edit, median',
        value: sorted[Math.floor(sorted.length / 2)] ?? 0,
        unit: 'ms',
      },
      {
        name: 'a tile in sight with neither photograph nor edit, longest',
        value: sorted.at(-1) ?? 0,
        unit: 'ms',
        limit: { atMost: 200 },
      },
    ];
  } finally {
    await browser.close();
  }
}

/** In the page: a tile shows its edit, or its photograph until that is made (whose sheet is decoded before it is set). */
const isShown = `(item) => {
  const image = item.querySelector('img');
  return Boolean((image && image.complete && image.naturalWidth > 0) || item.querySelector('.tile-photograph'));
}`;
const tilesSeen = `[...document.querySelectorAll('.grid-inner > li')].slice(0, 8).filter(${isShown}).length`;

/** In the page: how long each tile was in sight before its picture was there. */
const watchTiles = `
  globalThis.emptyTimes = [];
  const since = new Map();
  const look = () => {
    const box = document.querySelector('.grid').getBoundingClientRect();
    const now = performance.now();
    const inSight = new Set();
    for (const item of document.querySelectorAll('.grid-inner > li')) {
      const at = item.getBoundingClientRect();
      if (at.bottom < box.top || at.top > box.bottom || item.className === 'grid-head') continue;
      const key = item.getAttribute('aria-posinset');
      inSight.add(key);
      const ready = (${isShown})(item);
      const known = since.get(key);
      if (known === 'done') continue;
      if (known === undefined) since.set(key, ready ? 'done' : now);
      if (ready) { globalThis.emptyTimes.push(known === undefined ? 0 : now - known); since.set(key, 'done'); }
    }
    // One that is scrolled out before its picture came was empty all the while.
    for (const [key, known] of since)
      if (known !== 'done' && !inSight.has(key)) { globalThis.emptyTimes.push(now - known); since.set(key, 'done'); }
    requestAnimationFrame(look);
  };
  look();
`;

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000;
}
