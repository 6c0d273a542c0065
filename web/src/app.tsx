import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { notice } from './api.ts';
import { useShortcuts } from './keys.ts';
import { findPage, type PageProps, type Params, pages } from './pages.ts';
import { go, href, place } from './router.ts';
import { Shortcuts, toggleShortcuts } from './shortcuts.tsx';
import { changeTheme, theme } from './theme.ts';

/** Head, navigation and the page that the address names. */
export function App() {
  const { path } = place.value;
  const found = findPage(path);
  const main = useRef<HTMLElement>(null);
  const title = found?.page.title ?? 'Not here';
  useEffect(() => {
    document.title = [found?.params.run, title, 'Sceneshift studio'].filter(Boolean).join(' · ');
  }, [title, found?.params.run]);
  const address = path.join('/');
  const before = useRef(address);
  useEffect(() => {
    if (before.current !== address) main.current?.focus({ preventScroll: true });
    before.current = address;
  }, [address]);
  useShortcuts('Everywhere', [
    { keys: '?', does: 'show or hide this list', run: toggleShortcuts },
    { keys: 'g', does: 'to the list of runs', run: () => go(href([])) },
    { keys: 't', does: 'light, dark, or as the system says', run: changeTheme },
  ]);
  return (
    <>
      <a class="skip" href={location.hash || '#/'} onClick={(event) => skip(event, main.current)}>
        To the content
      </a>
      <Head run={found?.params.run} path={path} params={found?.params ?? {}} />
      <main ref={main} tabIndex={-1} id="main">
        {found ? <Lazy key={found.page.path} load={found.page.load} params={found.params} /> : <Missing />}
      </main>
      <output class="notice" aria-live="polite">
        {notice.value}
      </output>
      <Shortcuts />
    </>
  );
}

function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function Head({ run, path, params }: { run: string | undefined; path: readonly string[]; params: Params }) {
  const here = path.join('/');
  const links = pages.filter(({ nav }) => nav === 'studio' || (nav === 'run' && run !== undefined));
  return (
    <header class="head">
      <a class="brand" href="#/">
        Sceneshift <span>studio</span>
      </a>
      <nav aria-label="Pages">
        {links.map((page) => {
          const target = page.path
            .split('/')
            .filter(Boolean)
            .map((part) => (part.startsWith(':') ? params[part.slice(1)] : part));
          const current = target.join('/') === here;
          return (
            <a key={page.path} href={href(target)} aria-current={current ? 'page' : undefined} data-of={page.nav}>
              {page.title}
            </a>
          );
        })}
      </nav>
      {run !== undefined && <span class="of-run">{run}</span>}
      <button
        type="button"
        class="quiet"
        onClick={changeTheme}
        aria-label={`Colours: ${theme.value}`}
        title="Colours (t)"
      >
        {{ auto: '◐', light: '☀', dark: '☾' }[theme.value]}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={toggleShortcuts}
        aria-label="Keyboard shortcuts"
        title="Keyboard (?)"
      >
        ?
      </button>
    </header>
  );
}

function Lazy({ load, params }: { load: () => Promise<ComponentType<PageProps>>; params: Params }) {
  const [Page, setPage] = useState<ComponentType<PageProps>>();
  const [error, setError] = useState('');
  // A page is another component, with another key.
  useEffect(() => {
    load().then(
      (loaded) => setPage(() => loaded),
      (problem: Error) => setError(problem.message),
    );
  }, []);
  if (error) return <p class="error">{error}</p>;
  return Page ? <Page params={params} /> : <p class="waiting">Loading …</p>;
}

const Missing = () => (
  <section class="page">
    <h1>There is nothing here</h1>
    <p>
      The address names no page of the studio. <a href="#/">To the runs</a>
    </p>
  </section>
);
