import { ApiError, apiUrl } from '../api.ts';

/** Lines of JSON as the server writes them. */
export async function readLines<T>(
  parts: readonly string[],
  query: URLSearchParams,
  { signal, onLine }: { signal: AbortSignal; onLine: (line: T) => void },
): Promise<void> {
  const response = await fetch(apiUrl(parts, query), { signal });
  if (!response.ok || !response.body) {
    const { error } = (await response.json()) as { error: string };
    throw new ApiError(error, response.status);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line && !signal.aborted) onLine(JSON.parse(line) as T);
  }
}
