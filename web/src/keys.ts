import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** A key and what it does, as the list that `?` opens shows it. */
export interface Shortcut {
  /** As `KeyboardEvent.key` has it, with `ctrl+` or `shift+` before it where held; several keys for one thing are separated by spaces. */
  readonly keys: string;
  readonly does: string;
  run(event: KeyboardEvent): void;
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
  // The words stand for the list; what each runs is looked up when it is pressed.
  useEffect(() => {
    const group: Group = {
      title,
      shortcuts: latest.current.map((shortcut, i) => ({ ...shortcut, run: (event) => latest.current[i]?.run(event) })),
    };
    shortcutGroups.value = [...shortcutGroups.value, group];
    return () => {
      shortcutGroups.value = shortcutGroups.value.filter((other) => other !== group);
    };
  }, [title, words]);
}

const typing = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]';

addEventListener('keydown', (event) => {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.isComposing || event.metaKey || event.altKey) return;
  if (target?.closest?.(typing)) return;
  // While a dialog is open, the page's shortcuts are off.
  if (document.querySelector('dialog[open]') && event.key !== '?') return;
  const pressed = keyName(event);
  for (const { shortcuts } of [...shortcutGroups.value].reverse()) {
    const found = shortcuts.find(({ keys }) => keys.split(' ').includes(pressed));
    if (!found) continue;
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
