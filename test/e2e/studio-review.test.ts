import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openReview } from '../../src/review/review.ts';
import { openBrowser } from '../support/browser.ts';
import { makeReviewFolder } from '../support/review-folder.ts';
import { expectAccessibleInBoth, type RunningStudio, startStudio, type Visit, visit } from '../support/studio.ts';

const nasty = '<b onclick=alert(1)>mug</b> "&';

describe('review in the studio', () => {
  let home: string;
  let browser: Browser;
  let studio: RunningStudio;
  const folder = () => join(home, 'hard');

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-studio-review-'));
    await makeReviewFolder(folder(), { pictures: 6, gold: 2, votes: 2, label: nasty });
    [browser, studio] = await Promise.all([openBrowser(), startStudio([folder()], { cwd: home })]);
    return async () => {
      await browser.close();
      expect(await studio.stop()).toBe(0);
      await rm(home, { recursive: true, force: true });
    };
  });

  const judged = (page: Page, count: number) => page.getByText(`${count} of 6 judged`).waitFor();

  /** From the list to the last picture with nothing but the keyboard; `keysOf(n)`: what is pressed for the n-th picture. */
  async function review({ page }: Visit, name: string, keysOf: (n: number) => string): Promise<void> {
    await page.getByRole('link', { name: 'Hard images', exact: true }).waitFor();
    await tabTo(page, 'Hard images');
    await page.keyboard.press('Enter');
    await page.getByLabel('Your name').waitFor();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    for (let n = 0; n < 6; n++) {
      await judged(page, n);
      for (const key of keysOf(n)) {
        const question = page.locator('fieldset[aria-current=step] legend');
        await question.waitFor();
        await page.keyboard.press(key);
      }
    }
    await page.getByRole('heading', { name: 'Nothing is left for you' }).waitFor();
    await judged(page, 6);
  }

  async function tabTo(page: Page, text: string): Promise<void> {
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      if ((await page.locator(':focus').textContent()) === text) return;
    }
    throw new Error(`Tab does not reach ${text}`);
  }

  it('two reviewers at once, by keyboard alone, blind to each other', async () => {
    const [ada, bob] = await Promise.all([
      visit(await browser.newContext({ colorScheme: 'light' }), studio.address, 'review'),
      visit(await browser.newContext({ colorScheme: 'dark' }), studio.address, 'review'),
    ]);
    await Promise.all([review(ada, 'Ada', () => 'yy'), review(bob, 'Bob', (n) => (n % 2 ? 'yn' : 'yy'))]);
    expect(ada.complaints).toEqual([]);
    expect(bob.complaints).toEqual([]);
    expect(await ada.page.locator('main').innerText()).not.toContain('Bob');

    const kept = await openReview(folder());
    expect(kept.votes()).toHaveLength(2 * 6 * 2);
    expect(kept.votes().filter(({ answer }) => answer === 'no')).toHaveLength(3);
    await kept.close();

    // Back to the last one, which stands as it was answered; the second answer is changed and kept.
    await bob.page.keyboard.press('ArrowLeft');
    await bob.page.locator('img.turn-picture').waitFor();
    expect(await bob.page.locator('button[aria-pressed=true]').allInnerTexts()).toEqual(['y Yes', 'No']);
    await bob.page.keyboard.press('ArrowDown');
    await bob.page.keyboard.press('u');
    await bob.page.getByRole('heading', { name: 'Nothing is left for you' }).waitFor();
    expect(await readFile(join(folder(), 'votes.jsonl'), 'utf8')).toContain('"answer":"unsure"');
  });

  it('shows picture, questions and results, light and dark, accessible', async () => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 760 } });
    const { page, complaints, go, shoot } = await visit(context, studio.address, 'review');
    await page.getByText('Ada').waitFor();
    await expectAccessibleInBoth(page, () => shoot('review-list-dark'));
    await shoot('review-list-light');

    await go(`review/${await idOf(page)}`);
    await page.getByLabel('Your name').waitFor();
    await expectAccessibleInBoth(page);

    await go(`review/${await idOf(page)}?as=Cy`);
    await page.locator('img.turn-picture').waitFor();
    await expect
      .poll(() =>
        page.locator('img.turn-picture').evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(320);
    expect(await page.locator('.turn-label').innerText()).toBe(`Label: ${nasty}`);
    await page.keyboard.press('y');
    await page.locator('button[aria-pressed=true]').waitFor();
    await expectAccessibleInBoth(page, () => shoot('review-dark'));
    await shoot('review-light');

    await go(`review/${await idOf(page)}/results?show=left-out`);
    await page.getByRole('cell', { name: 'Krippendorff’s α' }).first().waitFor();
    expect(await page.locator('main').innerText()).toContain('Ada, Bob');
    await expectAccessibleInBoth(page, () => shoot('review-results-dark'));
    await shoot('review-results-light');
    expect(complaints).toEqual([]);
  });

  it('what could not be saved is said, not passed over, and is sent again', async () => {
    const { page } = await visit(await browser.newContext(), studio.address, 'review');
    await page.goto(`${studio.address}#/review/${await idOf(page)}?as=Dan`);
    await page.getByText('0 of 2 judged').waitFor();
    await page.route('**/votes', (route) => route.abort());
    await page.keyboard.press('y');
    await page.keyboard.press('y');
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    expect(await page.getByText('0 of 2 judged').count()).toBe(1);
    expect(await readFile(join(folder(), 'votes.jsonl'), 'utf8')).not.toContain('Dan');
    await page.unroute('**/votes');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 2 judged').waitFor();
    const votes = (await readFile(join(folder(), 'votes.jsonl'), 'utf8')).split('\n');
    expect(votes.filter((line) => line.includes('Dan'))).toHaveLength(2);
  });

  it('a dispute is decided by name, and the export says who', async () => {
    const { page, complaints } = await visit(await browser.newContext(), studio.address, 'review');
    const id = await idOf(page);
    await page.goto(`${studio.address}#/review/${id}/results`);
    const heading = page.getByRole('heading', { name: /^Disputed: [1-9]/ });
    const before = Number((await heading.innerText()).replace(/\D/g, ''));
    await page.getByLabel('Who decides').fill('Eve');
    await page.keyboard.press('Enter');
    const button = page
      .locator('.disputes')
      .getByRole('button', { name: /^Yes \(1 vote/ })
      .first();
    await page.locator('.disputes button:enabled').first().waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Disputed: ${before - 1}` }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All as CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('only: Eve decided yes');
    expect(complaints).toEqual([]);
  });

  /** The word of the one review in addresses, as its link has it. */
  async function idOf(page: Page): Promise<string> {
    const reviews = await page.evaluate(async () => (await fetch('./api/reviews')).json());
    return (reviews as { id: string }[])[0].id;
  }
});
