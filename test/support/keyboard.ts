import type { Page } from 'playwright-core';

/** In the page: what can be used, in its order. Of a grid of tiles, and of radio buttons, arrows lead to the others. */
const collect = `
  globalThis.usable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    (element) =>
      !element.matches(':disabled, [type=hidden], main, [data-tile], input[type=radio]:not(:checked)') &&
      element.checkVisibility(),
  );
  document.activeElement?.blur();
  globalThis.usable.length`;
const focused = 'globalThis.usable.indexOf(document.activeElement)';
const left = (met: readonly number[]) => `globalThis.usable
  .filter((element, i) => !${JSON.stringify(met)}.includes(i) && element.isConnected)
  .map((element) => element.outerHTML.slice(0, 160))`;

/**
 * What can be used by mouse, is to be seen, and is not met by pressing Tab from the top of the page to its end. While a page
 * still fills, what comes in moves the focus: whatever is met on one of a few walks can be reached.
 */
export async function unreachable(page: Page, walks = 4): Promise<string[]> {
  const missed = await missedOnWalk(page);
  return missed.length && walks > 1 ? unreachable(page, walks - 1) : missed;
}

async function missedOnWalk(page: Page): Promise<string[]> {
  const count = (await page.evaluate(collect)) as number;
  const met = new Set<number>();
  await page.locator('.skip').focus();
  // More presses than there are elements, since one of the tiles is met, too, and what has come in meanwhile.
  for (let press = 0; press < 2 * count + 100; press++) {
    const place = (await page.evaluate(focused)) as number;
    if (place === 0 && press > 0) break;
    met.add(place);
    await page.keyboard.press('Tab');
  }
  return (await page.evaluate(left([...met]))) as string[];
}

/** What heeds presses of the mouse, can itself not be focused, and neither holds nor lies in anything that can. */
export async function mouseOnly(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', {
    expression: "[...document.querySelectorAll('#studio *')]",
    objectGroup: 'keyboard',
  });
  const all = await client.send('Runtime.getProperties', { objectId: result.objectId as string, ownProperties: true });
  const found: string[] = [];
  for (const { name, value } of all.result) {
    if (!/^\d+$/.test(name) || !value?.objectId) continue;
    const { listeners } = await client.send('DOMDebugger.getEventListeners', { objectId: value.objectId });
    if (!listeners.some(({ type }) => /^(click|dblclick|mousedown|pointerdown|touchstart)$/.test(type))) continue;
    const said = await client.send('Runtime.callFunctionOn', {
      objectId: value.objectId,
      returnByValue: true,
      functionDeclaration: `function () {
        const focusable = 'a[href], button, input, select, textarea, summary, label, [tabindex="0"]';
        return this.closest(focusable) || this.querySelector(focusable) ? '' : this.outerHTML.slice(0, 160);
      }`,
    });
    if (said.result.value) found.push(String(said.result.value));
  }
  await client.send('Runtime.releaseObjectGroup', { objectGroup: 'keyboard' });
  await client.detach();
  return found;
}
