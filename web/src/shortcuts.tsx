import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { shortcutGroups } from './keys.ts';

const isOpen = signal(false);
export const toggleShortcuts = (): void => {
  isOpen.value = !isOpen.value;
};

/** What every key does on this page. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen.value]);
  return (
    <dialog
      ref={dialog}
      class="shortcuts"
      aria-label="Keyboard shortcuts"
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <h2>Keyboard</h2>
      {shortcutGroups.value.map(({ title, shortcuts }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{shown(key)}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <button type="button" onClick={toggleShortcuts}>
        Close
      </button>
    </dialog>
  );
}

const signs: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
const shown = (key: string) => key.replace(/[A-Z]\w+$/, (name) => signs[name] ?? name);
