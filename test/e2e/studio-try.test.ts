import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeImage } from '../../src/image/encode.ts';
import { discPicture } from '../support/annotate-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { redNet } from '../support/onnx.ts';
import { expectAccessible, type RunningStudio, startStudio, visit } from '../support/studio.ts';

const benchmark = fileURLToPath(new URL('../../benchmark', import.meta.url));
const teapot = 'images/teapot/000.jpg';

/** Minutes: on a busy machine everything takes its time. */
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 120_000 });

describe('Try', () => {
  let home: string;
  let browser: Browser;
  let context: BrowserContext;
  let studio: RunningStudio;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-try-test-'));
    await writeFile(join(home, 'red.onnx'), redNet());
    // Nothing is given but a network that marks objects: the embedded benchmark and its models stand in.
    [browser, studio] = await Promise.all([
      openBrowser(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']),
      startStudio(['--mask-model', 'red.onnx'], { cwd: home }),
    ]);
    context = await browser.newContext({ viewport: { width: 1500, height: 900 } });
    return async () => {
      await browser.close();
      expect(await studio.stop()).toBe(0);
      await rm(home, { recursive: true, force: true });
    };
  });

  const shows = async (page: Page, scenario: string | RegExp) => {
    await poll(() => page.locator('.try-bar code').innerText()).toMatch(scenario);
  };
  const answered = (page: Page, scenario: string) => page.locator(`table[data-of="${scenario}"] tbody details`);
  /** What the canvas holds, as a number that other pictures do not have. */
  const pixels = (page: Page) =>
    page.locator('.stage canvas').evaluate((canvas) => {
      const element = canvas as unknown as { width: number; height: number; getContext(kind: '2d'): CanvasLike };
      const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height);
      let sum = 0;
      for (let i = 0; i < data.length; i++) sum = (31 * sum + data[i]) % 4294967291;
      return sum;
    });

  it('edits a sample as its sliders move, and every model answers about what is shown', async () => {
    const { page, complaints, shoot } = await visit(context, studio.address, 'try');
    await page
      .getByRole('button', { name: /teapot/ })
      .first()
      .click();
    await shows(page, 'original');
    expect(await pixels(page)).toBeGreaterThan(0);
    await answered(page, 'original').nth(13).waitFor();
    await page.getByLabel('Scenario').selectOption('blur-background');
    await shows(page, /^blur-background/);
    const slider = page.getByRole('slider', { name: 'sigma', exact: true });
    const latencies: number[] = [];
    for (const value of ['4', '5', '6', '7', '8', '9', '10', '11']) {
      await slider.fill(value);
      await shows(page, `blur-background:${value}`);
      latencies.push(Number(await page.locator('[data-latency]').getAttribute('data-latency')));
    }
    console.log(`slider → picture at 320 px, blur-background: ${latencies.join(', ')} ms`);
    await page.waitForURL(/scenario=blur-background(%3A|:)sigma(%3D|=)11/);
    await answered(page, 'blur-background:11').nth(13).waitFor();
    await expectAccessible(page);
    await shoot('try-light');
    // The address alone shows the same thing.
    const dark = await browser.newContext({ colorScheme: 'dark', viewport: { width: 1500, height: 900 } });
    const other = await visit(dark, studio.address, page.url().split('#/')[1]);
    await shows(other.page, 'blur-background:11');
    expect(await pixels(other.page)).toBe(await pixels(page));
    await answered(other.page, 'blur-background:11').nth(13).waitFor();
    await expectAccessible(other.page);
    await other.shoot('try-dark');
    // The test itself reads the canvas, which Chromium remarks on.
    expect([...complaints, ...other.complaints].filter((text) => !text.startsWith('Canvas2D'))).toEqual([]);
    // Run this on everything: the form knows what was tried.
    await page.getByRole('link', { name: 'Run this on everything' }).click();
    await page.getByRole('button', { name: 'Start: 14 models × 2 scenarios' }).waitFor();
    expect(await page.getByLabel('blur-background: sigma', { exact: true }).inputValue()).toBe('11');
  });

  it('moves, scales and turns the object by mouse and by keys', async () => {
    const { page, complaints, shoot } = await visit(context, studio.address, `try?sample=${teapot}`);
    await shows(page, 'original');
    const box = page.locator('.object-box');
    const middle = async () => {
      const at = await box.boundingBox();
      if (!at) throw new Error('no object');
      return { x: at.x + at.width / 2, y: at.y + at.height / 2, width: at.width, height: at.height };
    };
    const start = await middle();
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x - 30, start.y - 20, { steps: 4 });
    await page.mouse.move(start.x - 60, start.y - 30, { steps: 4 });
    await page.mouse.up();
    await shows(page, /^position:areaShare=keep\+x=/);
    await poll(async () => Math.abs((await middle()).x - (start.x - 60))).toBeLessThan(8);
    await poll(async () => Math.abs((await middle()).y - (start.y - 30))).toBeLessThan(8);
    const moved = await middle();
    await page.locator('.grip-scale').hover();
    await page.mouse.down();
    await page.mouse.move(moved.x + 0.3 * moved.width, moved.y + 0.3 * moved.height, { steps: 4 });
    await page.mouse.up();
    await shows(page, /^position:areaShare=0\./);
    await poll(async () => (await middle()).width / moved.width).toBeLessThan(0.75);
    await page.locator('.grip-turn').hover();
    await page.mouse.down();
    const small = await middle();
    await page.mouse.move(small.x + 60, small.y - 30, { steps: 6 });
    await page.mouse.up();
    await shows(page, /degrees=-\d/);
    await shoot('try-moved');
    await page.keyboard.press(']');
    await page.keyboard.press('0');
    await shows(page, 'original');
    await page.keyboard.press('Shift+ArrowRight');
    await shows(page, /^position:areaShare=keep/);
    const x = Number(/x=([\d.]+)/.exec(await page.locator('.try-bar code').innerText())?.[1]);
    await page.locator('.stage').focus();
    await page.keyboard.press('ArrowLeft');
    await poll(async () => Number(/x=([\d.]+)/.exec(await page.locator('.try-bar code').innerText())?.[1])).toBeCloseTo(
      x - 0.01,
      2,
    );
    await page.keyboard.press('-');
    await shows(page, /areaShare=0\./);
    await page.getByLabel('Scenario').selectOption('direction');
    await shows(page, 'direction');
    await page.keyboard.press('[');
    await shows(page, 'direction:5');
    expect(complaints).toEqual([]);
  });

  it('takes a picture that is sent, finds its object in a box, and says what cannot be read', async () => {
    const { page, complaints, shoot } = await visit(context, studio.address, 'try');
    const file = { name: 'photo <b>.jpg', mimeType: 'image/jpeg', buffer: await readFile(join(benchmark, teapot)) };
    await page.getByLabel('Open a picture …').setInputFiles({ ...file, buffer: Buffer.from('no picture') });
    await page.getByRole('alert').getByText('not an image').waitFor();
    await page.getByLabel('Open a picture …').setInputFiles(file);
    await shows(page, 'original');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('option[value="blur-background"]').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Draw a box' }).click();
    await page.locator('.stage').focus();
    await page.keyboard.press('ArrowUp');
    await shoot('try-box');
    await page.getByRole('button', { name: 'Find the object in the box' }).click();
    await page.waitForURL(/mask=/);
    await page.locator('.object-box').waitFor();
    await page.getByLabel('Scenario').selectOption('grey');
    await shows(page, 'grey');
    await page.getByLabel('It shows').selectOption('teapot');
    await page.locator('.try-answers .right, .try-answers .wrong').first().waitFor();
    const mask = await readFile(join(benchmark, teapot.replace('images', 'masks').replace('.jpg', '.png')));
    await page.getByLabel('Open a mask …').setInputFiles({ name: 'mask.png', mimeType: 'image/png', buffer: mask });
    await page.getByText('covers').waitFor();
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('finds what stands out to a salient-object network, and edits around it', async () => {
    const { page, complaints, shoot } = await visit(context, studio.address, 'try');
    const { image, mask } = discPicture(160, 120);
    const buffer = Buffer.from(await encodeImage(image, { format: 'png' }));
    await page.getByLabel('Open a picture …').setInputFiles({ name: 'disc.png', mimeType: 'image/png', buffer });
    await shows(page, 'original');
    await page.getByRole('button', { name: 'What stands out' }).click();
    await page.locator('.object-box').waitFor();
    const said = await page.getByText(/^covers/).innerText();
    const share = mask.data.reduce((sum, value) => sum + (value ? 1 : 0), 0) / mask.data.length;
    expect(Math.abs(Number(/[\d.]+/.exec(said)?.[0]) / 100 - share)).toBeLessThan(0.02);
    await page.getByLabel('Scenario').selectOption('grey');
    await shows(page, 'grey');
    await shoot('try-salient');
    expect(complaints).toEqual([]);
  });

  it('takes a picture with the camera', async () => {
    const { page } = await visit(context, studio.address, 'try');
    await page.getByRole('button', { name: 'Take one …' }).click();
    await poll(() =>
      page.locator('video').evaluate((video) => (video as unknown as { videoWidth: number }).videoWidth),
    ).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Take the picture' }).click();
    await shows(page, 'original');
    await page.waitForURL(/picture=[0-9a-f]{24}/);
  });

  it('never shows one question’s answer for another’s, however late it comes', async () => {
    const truth = await visit(context, studio.address, `try?sample=${teapot}&scenario=grey`);
    await shows(truth.page, 'grey');
    const wanted = await pixels(truth.page);
    const { page, go } = await visit(context, studio.address, 'runs-none');
    const held: (() => void)[] = [];
    // The first picture and its answers are held back until the second ones are there.
    await page.route(/api\/try\/(edit|answers)\?.*scenario=channel-red/, async (route) => {
      await new Promise<void>((release) => held.push(release));
      await route.continue().catch(() => undefined);
    });
    await go(`try?sample=${teapot.replace('000', '001')}&scenario=channel-red`);
    await poll(() => held.length).toBeGreaterThan(0);
    await go(`try?sample=${teapot}&scenario=grey`);
    await shows(page, 'grey');
    await answered(page, 'grey').nth(13).waitFor();
    const now = page.locator('.try-answers tbody td:nth-child(3)');
    const said = await now.allInnerTexts();
    for (const release of held) release();
    await page.unroute(/api\/try/);
    await page.getByRole('link', { name: 'Runs' }).focus();
    expect(await page.locator('.try-bar code').innerText()).toBe('grey');
    expect(await pixels(page)).toBe(wanted);
    expect(await now.allInnerTexts()).toEqual(said);
  });

  it('paints a background from words, tells how far it is, and stops when told', async () => {
    const { page, complaints, shoot } = await visit(context, studio.address, `try?sample=${teapot}&size=256`);
    await shows(page, 'original');
    await page.getByLabel('Scenario').selectOption('generated-background');
    await page.locator('.try-middle progress').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.try-middle progress').waitFor({ state: 'detached' });
    expect(await page.locator('.try-bar code').innerText()).toBe('original');
    await page.getByLabel('prompt').fill('snow');
    await page.keyboard.press('Tab');
    await page.locator('.try-middle progress').waitFor();
    await shows(page, 'generated-background:snow');
    await answered(page, 'generated-background:snow').nth(13).waitFor();
    await shoot('try-painted');
    expect(complaints).toEqual([]);
  });
});

interface CanvasLike {
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
}
