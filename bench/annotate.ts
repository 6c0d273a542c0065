import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { BenchInput, Figure } from './main.ts';
import { openBrowser } from './studio.ts';

const [width, height] = [4032, 3024];

/** Drawing on a camera's photograph of twelve million pixels, in a real browser without a graphics card. */
export async function benchAnnotate({ scratch, bin }: BenchInput): Promise<Figure[]> {
  const photos = join(scratch, 'photos', 'thing');
  await mkdir(photos, { recursive: true });
  await writeFile(join(photos, 'large.jpg'), await photograph());
  const child = spawn(process.execPath, [bin, 'studio', join(photos, '..'), '--annotate', '--port', '0', '--json'], {
    cwd: scratch,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { address } = JSON.parse(line) as { address: string };
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    const begun = performance.now();
    await page.goto(`${address}/draw?show=all&sample=thing%2Flarge.jpg`);
    await page.locator('.stage').waitFor();
    const opened = (performance.now() - begun) / 1000;
    await page.keyboard.press('b');
    await page.evaluate(watchFrames);
    const strokes = await frames(page, async () => {
      for (let row = 0; row < 5; row++) {
        await page.mouse.move(300, 200 + 100 * row);
        await page.mouse.down();
        await page.mouse.move(1200, 260 + 100 * row, { steps: 60 });
        await page.mouse.up();
      }
    });
    const zooms = await frames(page, async () => {
      for (let step = 0; step < 40; step++) await page.mouse.wheel(0, step < 20 ? -100 : 100);
    });
    const box = await timed(async () => {
      await page.keyboard.press('x');
      await page.mouse.move(500, 250);
      await page.mouse.down();
      await page.mouse.move(1100, 800, { steps: 5 });
      await page.mouse.up();
      await page.locator('.stage-line output').filter({ hasText: 'Found' }).waitFor();
    });
    const saved = await timed(async () => {
      await page.keyboard.press('Control+s');
      await page.locator('output[data-state=saved]').waitFor();
    });
    return [
      { name: 'opened, picture and mask', value: opened, unit: 's' },
      {
        name: 'longest time the page was held up while painting, half of the strokes',
        value: median(strokes),
        unit: 'ms',
      },
      { name: 'the same, worst', value: Math.max(...strokes), unit: 'ms', limit: { atMost: 100 } },
      {
        name: 'longest time the page was held up by a step of the wheel, half of them',
        value: median(zooms),
        unit: 'ms',
      },
      { name: 'the same, worst', value: Math.max(...zooms), unit: 'ms', limit: { atMost: 200 } },
      { name: 'GrabCut in a box', value: box, unit: 's' },
      { name: 'saved, PNG and LabelMe file on disk', value: saved, unit: 's' },
    ];
  } finally {
    await browser.close();
    child.kill('SIGINT');
    await once(child, 'exit');
  }
}

/** A disc before a ground with some texture. */
function photograph(): Promise<Buffer> {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 3) {
      const inside = Math.hypot(x - 2000, y - 1500) < 800;
      data[i] = inside ? 200 + ((x * 7) % 20) : 40;
      data[i + 1] = inside ? 40 : 120 + ((x * 5 + y * 3) % 30);
      data[i + 2] = 55;
    }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return (performance.now() - before) / 1000;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How long each event of the mouse was worked on while something was done, in milliseconds. */
async function frames(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('globalThis.handled.length = 0');
  await act();
  return (await page.evaluate('globalThis.handled')) as number[];
}

/** In the page: the time from an event's arrival at the window to the end of all that it set off in this turn. */
const watchFrames = `
  globalThis.handled = [];
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel'])
    addEventListener(kind, () => {
      const before = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => globalThis.handled.push(performance.now() - before);
      port2.postMessage(0);
    }, { capture: true, passive: true });
`;
