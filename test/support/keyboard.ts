import type { Page } from 'playwright-core';

/** In the page: what can be used, in its order, and which of it has been focused. Of a grid of tiles, and of radio buttons, arrows lead to the others. */
const collect = `
  globalThis.usable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    (element) =>
      !element.matches(':disabled, [type=hidden], main, [data-tile], input[type=radio]:not(:checked)') &&
      element.checkVisibility(),
  );
  globalThis.focused = new Set();
  globalThis.rounds = 0;
  globalThis.noteFocus ??= ({ target }) => {
    globalThis.focused.add(target);
    if (target === globalThis.usable[0]) globalThis.rounds++;
  };
  document.addEventListener('focusin', globalThis.noteFocus);
  document.activeElement?.blur();
  globalThis.usable.length`;
const left = `globalThis.usable
  .filter((element) => !globalThis.focused.has(element) && element.isConnected)
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
  await page.locator('.skip').focus();
  // More presses than there are elements, since one of the tiles is met, too, and what has come in meanwhile.
  // The key is held down, which repeats it: half of the messages of pressing it as often.
  for (let press = 1; press < 2 * count + 100; press++) {
    await page.keyboard.down('Tab');
    if (press % 8 === 0 && ((await page.evaluate('globalThis.rounds')) as number) > 1) break;
  }
  await page.keyboard.up('Tab');
  return (await page.evaluate(left)) as string[];
}

/** In the page, before anything else: remembers what heeds presses of the mouse. */
export const rememberListeners = `{
  const heeds = (globalThis.heeding = new WeakMap());
  const presses = /^(click|dblclick|mousedown|pointerdown|touchstart)$/;
  for (const [name, change] of [['addEventListener', 1], ['removeEventListener', -1]]) {
    const own = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (type, ...rest) {
      if (this instanceof Element && presses.test(type)) heeds.set(this, (heeds.get(this) ?? 0) + change);
      return own.call(this, type, ...rest);
    };
  }
}`;

const heedOnly = `(() => {
  const focusable = 'a[href], button, input, select, textarea, summary, label, [tabindex="0"]';
  const all = [...document.querySelectorAll('#studio *')].filter(
    (element) =>
      globalThis.heeding.get(element) > 0 || element.onclick || element.ondblclick || element.onmousedown || element.onpointerdown,
  );
  return {
    heeding: all.length,
    alone: all
      .filter((element) => !element.closest(focusable) && !element.querySelector(focusable))
      .map((element) => element.outerHTML.slice(0, 160)),
  };
})()`;

/** What heeds presses of the mouse, can itself not be focused, and neither holds nor lies in anything that can. */
export async function mouseOnly(page: Page): Promise<string[]> {
  const { heeding, alone } = (await page.evaluate(heedOnly)) as { heeding: number; alone: string[] };
  if (!heeding) throw new Error('nothing heeds the mouse: rememberListeners has to be there before the page');
  return alone;
}
