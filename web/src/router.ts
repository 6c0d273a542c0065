import { signal } from '@preact/signals';

/** Where the page is: `#/runs/first/explore?scenario=grey`. Everything that decides what is shown stands there. */
export interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const read = (): Place => parsePlace(location.hash);

export function parsePlace(hash: string): Place {
  const [path, query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

export const place = signal<Place>(read());
addEventListener('hashchange', () => {
  place.value = read();
});

export type QueryChange = Record<string, string | readonly string[] | number | null | undefined>;

/** The address of a place; what is empty is left out of it. */
export function href(path: readonly string[], query: QueryChange | URLSearchParams = {}): string {
  const params = query instanceof URLSearchParams ? query : toParams(query);
  const text = params.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

export function toParams(change: QueryChange, from = new URLSearchParams()): URLSearchParams {
  const params = new URLSearchParams(from);
  for (const [key, value] of Object.entries(change)) {
    params.delete(key);
    const values = Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value];
    for (const each of values) params.append(key, String(each));
  }
  return params;
}

/** Changes a part of what stands after the `?`. `replace`: no step for the back button (a slider being moved). */
export function setQuery(change: QueryChange, { replace = false } = {}): void {
  const { path, query } = place.value;
  go(href(path, toParams(change, query)), { replace });
}

export function go(address: string, { replace = false } = {}): void {
  if (address === location.hash) return;
  if (replace) {
    history.replaceState(null, '', address);
    place.value = read();
  } else location.hash = address;
}
