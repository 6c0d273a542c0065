import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MiningRecord } from '../../src/contracts/mining.ts';
import type { ReviewSummary } from '../../src/contracts/studio/review.ts';
import { readCsvObjects } from '../../src/formats/csv-rows.ts';
import { openBrowser } from '../support/browser.ts';
import { sceneshift } from '../support/cli.ts';
import { expectAccessible, startStudio, visit } from '../support/studio.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const pool = here('../fixtures/pool/manifest.csv');
const network = (name: string) => here(`../../benchmark/models/${name}.onnx`);
const surrogates = ['plain-biased-1', 'residual-biased-1', 'transformer-biased-1'];
const targets = ['mobile-biased-1', 'plain-unbiased-1'];

/** Pictures of our own generator, evaluated, mined, reviewed, released, read back and evaluated again. */
describe('from a pool of generated pictures to a released hard set', () => {
  let home: string;
  let browser: Browser;
  const run = () => join(home, 'runs', 'pool');
  const ask = async (...args: string[]) => {
    const { status, stdout, stderr } = await sceneshift([...args, '--json'], { cwd: home });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const mine = (...args: string[]) => ask('mine', run(), ...args);
  let record: MiningRecord;

  /** The whole queue in the studio with nothing but keys; `keysFor`: an answer to each of the four questions. */
  async function reviewByKeyboard(name: string, keysFor: (item: string) => string) {
    const studio = await startStudio([run()], { cwd: home });
    try {
      const { page, complaints, go, shoot } = await visit(await browser.newContext(), studio.address, 'review');
      const [{ id, pictures }] = (await (await fetch(`${studio.address}api/reviews`)).json()) as ReviewSummary[];
      await go(`review/${id}`);
      await page.getByLabel('Your name').waitFor();
      await page.locator('input:focus').waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      for (let n = 0; n < pictures; n++) {
        await page.getByText(`${n} of ${pictures} judged`).waitFor();
        await page.locator('img.turn-picture').waitFor();
        if (n === 0) await shoot('review-mined');
        const shown = (await page.locator('img.turn-picture').getAttribute('src')) as string;
        for (const key of keysFor(new URL(shown, studio.address).searchParams.get('item') as string)) {
          await page.locator('fieldset[aria-current=step] legend').waitFor();
          await page.keyboard.press(key);
        }
      }
      await page.getByRole('heading', { name: 'Nothing is left for you' }).waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await studio.stop();
    }
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-mine-e2e-'));
    const models = [...surrogates, ...targets].flatMap((name) => ['--model', network(name)]);
    await ask('run', '--data', pool, ...models, '--scenarios', 'original', '--no-report', '--out', run());
    record = await mine(
      '--surrogates',
      surrogates.join(),
      '--targets',
      targets.join(),
      '--backbone',
      network('plain-unbiased-2'),
    );
    browser = await openBrowser();
    return async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    };
  });

  it('chooses what three networks of different make fail, and holds the others out', async () => {
    expect(record.pool).toMatchObject({ pictures: 72, incomplete: 0 });
    expect(record.chosen.length).toBeGreaterThan(5);
    expect(record.chosen.every(({ seed, failedBy }) => seed === 1 && failedBy.length === 3)).toBe(true);
    for (const { model, role, hard } of record.transfer) {
      expect(role).toBe(targets.includes(model) ? 'target' : 'surrogate');
      if (role === 'surrogate') expect(hard.estimate).toBe(0);
    }
    expect(await mine('--verify')).toEqual({ verified: true });
    expect(record.modesMissing.join()).not.toMatch(/cluster/);
  });

  it('says how much harder the set is for the models held out, on its own seed and on a fresh one', async () => {
    const held = (from: MiningRecord) => (from.freshSeed ?? []).filter(({ model }) => targets.includes(model));
    const other: MiningRecord = await mine(
      '--surrogates',
      surrogates.join(),
      '--targets',
      targets.join(),
      '--on-seed',
      '2',
    );
    for (const each of [record, other]) {
      expect(held(each)).toHaveLength(2);
      for (const { ownSeed, freshSeed } of held(each))
        for (const { estimate, ci } of [ownSeed, freshSeed]) {
          expect(ci[0]).toBeLessThanOrEqual(estimate);
          expect(ci[1]).toBeGreaterThanOrEqual(estimate);
        }
    }
    expect(other.chosen.every(({ seed }) => seed === 2)).toBe(true);
    await mine('--surrogates', surrogates.join(), '--targets', targets.join());
  });

  it('is reviewed by several people, in the studio and by tables, released and evaluated again', async () => {
    const exported = await mine('--review', 'export', '--names', 'Ada,Bob', '--accept', '2', '--reviewers', '3');
    expect(exported.tables).toHaveLength(2);
    const early = await sceneshift(['mine', run(), '--release', join(home, 'early')], { cwd: home });
    expect(early.status).toBe(2);
    expect(early.stderr).toMatch(/Nothing to release: reviewers have kept none of \d+ pictures, \d+ still lack votes/);
    const review = join(run(), 'review');
    const [refused] = (await readdir(join(review, 'images'))).sort();
    const refusedId = refused.split('.')[0];
    // Ada and Bob fill their tables; both see no object in one picture.
    for (const name of (await readdir(review)).filter((file) => file.startsWith('review-'))) {
      const [header, ...lines] = (await readFile(join(review, name), 'utf8')).trimEnd().split(/\r?\n/);
      const filled = lines.map((line) =>
        line.replace(/,,,,$/, line.includes(refusedId) ? ',no,yes,yes,yes' : ',yes,yes,yes,yes'),
      );
      await writeFile(join(home, name), [header, ...filled].join('\n'));
    }
    await reviewByKeyboard('Cyn', (item) => (item === refusedId ? 'yyny' : 'yyyy'));
    const tables = (await readdir(home))
      .filter((file) => file.startsWith('review-'))
      .flatMap((file) => ['--votes', join(home, file)]);
    const judged = await mine('--review', 'import', ...tables);
    expect(judged).toMatchObject({ kept: record.chosen.length - 1, leftOut: 1, open: 0, disputed: 1 });
    expect(judged.reviewers).toEqual(['Ada', 'Bob', 'Cyn']);
    expect(judged.agreement.map(({ question }: { question: string }) => question)).toContain('object');

    const hard = join(home, 'hard');
    const released = await mine('--release', hard);
    expect(released).toMatchObject({ pictures: record.chosen.length - 1, leftOut: 1 });
    expect(await readFile(join(hard, 'DATASHEET.md'), 'utf8')).toMatch(/3 reviewers \(Ada, Bob, Cyn\)/);
    const rows = readCsvObjects(await readFile(join(hard, 'manifest.csv'), 'utf8'), 'manifest.csv');
    expect(rows.map(({ source }) => source).sort()).toEqual(
      released.released.map(({ sample }: { sample: string }) => sample).sort(),
    );

    // Read back: the surrogates fail all of it still, pixel for pixel the same pictures.
    const again = await ask(
      'run',
      '--data',
      join(hard, 'manifest.csv'),
      ...[...surrogates, ...targets].flatMap((name) => ['--model', network(name)]),
      '--scenarios',
      'original',
      '--no-report',
      '--out',
      join(home, 'runs', 'hard'),
    );
    expect(again).toMatchObject({ errors: 0, rows: 5 * released.pictures });
    for (const { model, scenarios } of again.score.models)
      if (surrogates.includes(model)) expect(scenarios[0]).toMatchObject({ n: released.pictures, top1: 0 });
  });

  it('stands in the report and in the studio, every number with its pictures', async () => {
    await ask('report', run());
    const html = await readFile(join(run(), 'report.html'), 'utf8');
    expect(html).toContain('<section id="mining">');
    expect(html).toContain('The released set');
    const chosen = html.slice(html.indexOf('chosen, with the commonest wrong answer'));
    expect(chosen.slice(0, chosen.indexOf('<section')).match(/src="data:image\/webp/g)).toHaveLength(
      Math.min(24, record.chosen.length),
    );
    const studio = await startStudio([run()], { cwd: home });
    try {
      const { page, complaints, shoot, go } = await visit(await browser.newContext(), studio.address);
      const { runs } = (await (await fetch(`${studio.address}api/workspace`)).json()) as {
        runs: { id: string; folder: string }[];
      };
      await go(`runs/${runs.find(({ folder }) => folder === run())?.id}/mine`);
      await page.getByRole('heading', { name: /pictures: the hard set/ }).waitFor();
      expect(await page.locator('.mined-tiles li').count()).toBe(record.chosen.length);
      const cell = record.fails.find(({ model, nuisance }) => model === 'plain-biased-1' && nuisance === 'texture');
      await page.getByTitle(`${cell?.wrong} of ${cell?.n} wrong`, { exact: true }).first().click();
      await page.getByRole('heading', { name: `${cell?.wrong} pictures: the pool, texture` }).waitFor();
      await page.locator('.pending').waitFor({ state: 'detached' });
      expect(await page.locator('.mined-tiles li').count()).toBe(cell?.wrong);
      await expectAccessible(page);
      await shoot('mined');
      await page.locator('.mined-tiles a').first().click();
      await page.waitForURL(/\/sample/);
      expect(complaints).toEqual([]);
    } finally {
      await studio.stop();
    }
  });
});
