import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { bin, type Running, sceneshift } from './spawn-cli.ts';

export interface RunningStudio {
  readonly address: string;
  /** Ends it as Ctrl+C does and gives its exit status. */
  stop(): Promise<number | null>;
}

export interface StudioProcess extends RunningStudio {
  readonly child: ChildProcess;
}

const argsOf = (args: readonly string[]) => ['studio', ...args, '--port', '0', '--json'];
const addressOf = (line: string) => (JSON.parse(line) as { address: string }).address;

/** The built studio on a free port, in a process that has done other calls before: half a second and its threads are spared. */
export async function startStudio(args: readonly string[], { cwd }: { cwd: string }): Promise<RunningStudio> {
  let started: Running | undefined;
  const ended = sceneshift(argsOf(args), {
    cwd,
    tellsAll: true,
    onStart: (running) => {
      started = running;
    },
  });
  const lines = createInterface({ input: started?.stdout as Readable });
  const first = await Promise.race([once(lines, 'line'), ended]);
  if (!Array.isArray(first)) throw new Error(`the studio did not start: ${first.stderr}`);
  return {
    address: addressOf(first[0]),
    async stop() {
      started?.kill('SIGINT');
      return (await ended).status;
    },
  };
}

/** The same in a process of its own, as a user starts it: for tests of its first moments, and of its death. */
export async function startStudioProcess(args: readonly string[], { cwd }: { cwd: string }): Promise<StudioProcess> {
  const child = spawn(process.execPath, [bin, ...argsOf(args)], { cwd });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [])]);
  if (!first.length) throw new Error(`the studio did not start: ${said}`);
  return {
    address: addressOf(first[0]),
    child,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGINT');
      return (await once(child, 'exit'))[0];
    },
  };
}

export interface Visit {
  readonly page: Page;
  /** What the page complained about, and every request that left the studio. */
  readonly complaints: string[];
  /** Shows another place (`runs/first/explore?scenario=grey`) and waits until it is there. */
  go(place: string): Promise<void>;
  shoot(name: string): Promise<void>;
}

/**
 * A page of the studio, open until the test ends: one left open goes on asking how runs are getting on. Screenshots go to
 * `SCENESHIFT_SCREENSHOTS` where that is set, for people to look at.
 */
export async function visit(context: BrowserContext, address: string, place = ''): Promise<Visit> {
  const page = await context.newPage();
  onTestFinished(() => page.close());
  // On a busy machine a run takes its time; a hang is told by minutes.
  page.setDefaultTimeout(240_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const { origin } = new URL(address);
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`asked for ${request.url()}`);
  });
  const go = async (to: string) => {
    await page.goto(`${address.replace(/#.*/, '')}#/${to}`);
    await page.locator('main h1').first().waitFor();
  };
  await go(place);
  const shots = process.env.SCENESHIFT_SCREENSHOTS;
  const shoot = async (name: string) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
  };
  return { page, complaints, go, shoot };
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** axe-core's rules that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** No violation of WCAG 2 level A or AA that axe-core can find. */
export async function expectAccessible(page: Page, runOnly: readonly string[] = levels): Promise<void> {
  // A document keeps it while its pages change.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: unknown,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .slice(0, 3)
          .join(' | ')}`,
    );
  }, runOnly);
  expect(found).toEqual([]);
}

/** The same in both colour schemes: the page is one, and only its colours are others. Leaves it light. */
export async function expectAccessibleInBoth(page: Page, shootDark?: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, colourRules);
  await shootDark?.();
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits until every picture that is to be seen is there. The policy forbids code from text, so the page cannot be asked to wait itself. */
export async function expectPictures(page: Page): Promise<void> {
  const missing = () =>
    page
      .locator('img:not([loading="lazy"])')
      .evaluateAll((all) => all.filter((image) => !(image.complete && image.naturalWidth > 0)).length);
  await expect.poll(missing, { timeout: 120_000 }).toBe(0);
}
