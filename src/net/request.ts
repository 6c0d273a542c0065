import { UserError } from '../contracts/errors.ts';
import { Refused, TryAgain } from './throttle.ts';

export interface RequestOptions {
  readonly timeoutSeconds: number;
  /** An answer that is longer is refused before it fills the memory. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Named where a key is missing or wrong. */
  readonly keyName?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** One request; an answer other than success becomes `UserError`, `Refused` or `TryAgain`, as its status says. */
export async function request(url: string, init: RequestInit, options: RequestOptions): Promise<HttpReply> {
  const timeout = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const response = await fetch(url, { ...init, signal });
  const bytes = await readBounded(response, options.maxBytes).catch((error: unknown) => {
    throw error instanceof Refused ? new Refused(`${withoutQuery(url)} sent ${error.message}`) : error;
  });
  if (response.ok) return { status: response.status, headers: response.headers, bytes };
  const message = `${withoutQuery(url)} answered ${response.status}: ${errorText(bytes)}`;
  if (response.status === 401 || (response.status === 403 && !/moderation|content|safety/i.test(message)))
    throw new UserError(`${message}${options.keyName ? `; set ${options.keyName} in the environment` : ''}`);
  if (response.status === 402) throw new UserError(message, { exitCode: 1 });
  if (response.status === 404) throw new UserError(message);
  if (![408, 409, 425, 429].includes(response.status) && response.status < 500) throw new Refused(message);
  throw new TryAgain(message, retryAfterMs(response.headers.get('retry-after')));
}

export function parseJson(bytes: Uint8Array, from: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new TryAgain(`${from} answered what is not JSON: ${new TextDecoder().decode(bytes.slice(0, 80))}`);
  }
}

/** A whole answer, refused as soon as it is longer than `maxBytes`. */
export async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(response.headers.get('content-length') ?? Number.NaN);
  if (declared > maxBytes) {
    await response.body?.cancel();
    throw new Refused(`an answer of ${declared} bytes; at most ${maxBytes} are taken`);
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) throw new Refused(`an answer of more than ${maxBytes} bytes`);
    parts.push(part);
  }
  if (Number.isFinite(declared) && !response.headers.get('content-encoding') && length < declared)
    throw new TryAgain(`the answer broke off after ${length} of ${declared} bytes`);
  return Buffer.concat(parts);
}

/** Seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The reason in the forms that services use, else the start of what came. */
function errorText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.slice(0, 4000));
  try {
    const json = JSON.parse(text) as Record<string, unknown>;
    const error = json.error as string | { message?: string; code?: string } | undefined;
    const found = [
      typeof error === 'string' ? error : error?.message,
      typeof error === 'object' ? error?.code : undefined,
      json.detail,
      json.message,
      json.name,
      Array.isArray(json.errors) ? json.errors.join('; ') : undefined,
    ].filter((part) => typeof part === 'string' && part);
    if (found.length) return found.join(' · ').slice(0, 300);
  } catch {
    // Not JSON: shown as it came.
  }
  return text.slice(0, 200);
}

/** Some services take keys in the address; nothing after the question mark is shown. */
const withoutQuery = (url: string) => url.split('?')[0];
