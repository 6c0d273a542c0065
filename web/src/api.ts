import { signal } from '@preact/signals';

/** What the server said was wrong, in its words. */
export class ApiError extends Error {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Read-only: an exported site, whose data lie beside it in files. */
export const isStatic = document.querySelector('meta[name="studio"]')?.getAttribute('content') === 'static';

/** The address of a resource, every part escaped. */
export function apiUrl(
  parts: readonly string[],
  query?: URLSearchParams | Record<string, string | number | undefined>,
): string {
  const given = query instanceof URLSearchParams ? [...query] : Object.entries(query ?? {});
  const params = new URLSearchParams(given.flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])));
  return `./api/${parts.map(encodeURIComponent).join('/')}${params.size ? `?${params}` : ''}`;
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const isJson = response.headers.get('content-type')?.includes('json');
  if (!response.ok) {
    const message = isJson ? ((await response.json()) as { error?: string }).error : await response.text();
    throw new ApiError(message || `The studio answered ${response.status}`, response.status);
  }
  return (isJson ? response.json() : response.blob()) as Promise<T>;
}

export const get = <T>(
  parts: readonly string[],
  {
    query,
    signal,
  }: { query?: URLSearchParams | Record<string, string | number | undefined>; signal?: AbortSignal } = {},
): Promise<T> => call<T>(apiUrl(parts, query), { signal });

export const post = <T>(
  parts: readonly string[],
  body: unknown,
  method: 'POST' | 'PUT' | 'DELETE' = 'POST',
): Promise<T> =>
  call<T>(apiUrl(parts), { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Sends a file as it is. */
export const sendBytes = <T>(parts: readonly string[], body: Blob, query?: URLSearchParams): Promise<T> =>
  call<T>(apiUrl(parts, query), { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body });

/** Told at the foot of the page, and to screen readers. */
export const notice = signal('');
