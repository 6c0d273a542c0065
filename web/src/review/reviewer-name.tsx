import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../router.ts';

const storeKey = 'sceneshift-reviewer';

/** The name last used in this window. */
const rememberedName = (): string => sessionStorage.getItem(storeKey) ?? '';

/** Asks for the name under which votes and last words are kept; it then stands in the address. */
export function ReviewerName({ label, button, focused }: { label: string; button: string; focused?: boolean }) {
  const [name, setName] = useState(rememberedName);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const take = (event: Event) => {
    event.preventDefault();
    const chosen = name.trim();
    if (!chosen) return;
    sessionStorage.setItem(storeKey, chosen);
    setQuery({ as: chosen });
  };
  return (
    <form class="reviewer-name" onSubmit={take}>
      <label>
        {label}{' '}
        <input
          value={name}
          maxLength={80}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
          ref={input}
        />
      </label>{' '}
      <button type="submit" class="main">
        {button}
      </button>
    </form>
  );
}
