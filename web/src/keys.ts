import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A key and what it does, as the list that `?` opens shows it. */
export interface Shortcut {
  /** As `KeyboardEvent.key` has it, with `ctrl+` or `shift+` before it where held; several keys for one thing are separated by spaces. */
  readonly keys: string;
  readonly does: string;
  /** Without it the key is only listed: a part of the page heeds it while it has the focus. */
  run?(event: KeyboardEvent): void;
}

interface Group {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** The groups of shortcuts on the screen; where two have the same key, the latest group gets it. */
export const shortcutGroups = signal<readonly Group[]>([]);

/** These keys work while the component is on the screen. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const words = shortcuts.map(({ keys, does }) => `${keys} ${does}`).join('\n');
  // The words stand for the list; what each runs is looked up when it is pressed. Keys work as soon as the page is seen.
  useLayoutEffect(() => {
    const group: Group = {
      title,
      shortcuts: latest.current.map((shortcut, i) => ({
        ...shortcut,
        ...(shortcut.run && { run: (event: KeyboardEvent) => latest.current[i]?.run?.(event) }),
      })),
    };
    shortcutGroups.value = [...shortcutGroups.value, group];
    return () => {
      shortcutGroups.value = shortcutGroups.value.filter((other) => other !== group);
    };
  }, [title, words]);
}

const typing = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]';

const moving = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];
/** Keys that a focused element needs for itself: whoever has walked to a button presses it with Enter. */
const ownKeys: readonly (readonly [string, readonly string[]])[] = [
  ['a[href]', ['Enter']],
  ['button, summary, input[type=checkbox], input[type=radio]', ['Enter', 'Space']],
  ['input[type=range], input[type=radio]', moving],
];
const isOwnKey = (target: Element | null, key: string): boolean =>
  ownKeys.some(([elements, keys]) => keys.includes(key) && target?.closest?.(elements));

addEventListener('keydown', (event) => {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.isComposing || event.metaKey || event.altKey) return;
  if (target?.closest?.(typing)) return;
  // While a dialog is open, the page's shortcuts are off.
  if (document.querySelector('dialog[open]') && event.key !== '?') return;
  const pressed = keyName(event);
  if (isOwnKey(target, pressed)) return;
  for (const { shortcuts } of [...shortcutGroups.value].reverse()) {
    const found = shortcuts.find(({ keys, run }) => run && keys.split(' ').includes(pressed));
    if (!found?.run) continue;
    event.preventDefault();
    found.run(event);
    return;
  }
});

/** `ctrl+z`, `shift+ArrowLeft`, `?` (shift is said by the sign itself). */
function keyName(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'Space' : event.key;
  return `${event.ctrlKey ? 'ctrl+' : ''}${event.shiftKey && key.length > 1 ? 'shift+' : ''}${key}`;
}
