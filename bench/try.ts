import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import type { TryOptions } from '../src/contracts/studio/try.ts';
import type { BenchInput, Figure } from './main.ts';
import { ask, openBrowser, startStudio } from './studio.ts';

/** Moves of each slider, as shares of its range. */
const moves = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.3];

/** In the page: what the newest picture took where it was made. */
const editMs = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/try/edit?'))
  .at(-1)?.serverTiming[0]?.duration ?? 0`;

/** From every slider there is to the picture on the screen, at 512 pixels, in a real browser. */
export async function benchTry({ scratch, bin }: BenchInput): Promise<Figure[]> {
  const env = { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') };
  const studio = await startStudio(bin, resolve('benchmark/manifest.csv'), env);
  const { address } = studio;
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const [image, mask] = await Promise.all(
      ['images/teapot/000.jpg', 'masks/teapot/000.png'].map(async (path) =>
        sharp(await readFile(resolve('benchmark', path)))
          .resize(512, 512, { kernel: path.startsWith('masks') ? 'nearest' : 'lanczos3' })
          .png()
          .toBuffer(),
      ),
    );
    page.setDefaultTimeout(240_000);
    await page.goto(`${address}#/try`);
    await page.getByLabel('Open a picture …').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: image });
    await page.locator('.try-bar').waitFor();
    await page.getByLabel('Open a mask …').setInputFiles({ name: 'm.png', mimeType: 'image/png', buffer: mask });
    await page.locator('.object-box').waitFor();
    const { scenarios } = (await ask(`${address}api/try`)) as TryOptions;
    const figures: Figure[] = [];
    const shown = () => page.locator('.try-bar code').innerText();
    const isRefused = async () => (await page.getByRole('alert').count()) > 0;
    const comes = async (isIt: (scenario: string) => boolean) => {
      while (!(isIt(await shown()) && !(await page.locator('.is-behind').count())) && !(await isRefused()))
        await page.waitForTimeout(5);
    };
    // What is painted takes seconds and says so.
    for (const { id: scenario, params } of scenarios.filter(({ needs }) => !needs.includes('generator'))) {
      for (const { name } of params.filter(({ kind }) => kind === 'number')) {
        const hash = new URLSearchParams(page.url().split('?')[1]);
        hash.set('scenario', scenario);
        await page.goto(`${address}#/try?${hash}`);
        await comes((made) => made.split(':')[0] === scenario);
        // Edits that need what this run has not.
        if (await isRefused()) continue;
        const slider = page.locator(`#setting-${name}`);
        const [low, high, step] = await Promise.all(
          ['min', 'max', 'step'].map(async (end) => Number(await slider.getAttribute(end))),
        );
        const [times, others]: number[][] = [[], []];
        for (const share of moves) {
          const before = await shown();
          const steps = Math.round((share * (high - low)) / step);
          const value = String(Number((low + steps * step).toFixed(6)));
          if ((await slider.inputValue()) === value) continue;
          await page.evaluate('performance.clearResourceTimings()');
          await slider.fill(value);
          await comes((made) => made !== before);
          times.push(Number(await page.locator('[data-latency]').getAttribute('data-latency')));
          others.push((times.at(-1) as number) - ((await page.evaluate(editMs)) as number));
        }
        for (const list of [times, others]) list.sort((a, b) => a - b);
        const figure = `slider to picture at 512 px: ${scenario}, ${name}`;
        figures.push({ name: figure, value: times[times.length >> 1], unit: 'ms', limit: { atMost: 150 } });
        figures.push({ name: `${figure}: what is not the edit`, value: others[others.length >> 1], unit: 'ms' });
      }
    }
    return figures;
  } finally {
    await browser.close();
    await studio.stop();
  }
}
