import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../contracts/errors.ts';

/** This request failed for good; others may not. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** This request may go through later; `afterMs` is what the service asked for. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
  readonly afterMs: number | undefined;
  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

export interface ThrottleOptions {
  /** Requests at a time. */
  readonly parallel: number;
  readonly requestsPerMinute?: number;
  readonly retries: number;
  /** On abort nothing more is asked, and no pause is waited for. */
  readonly signal?: AbortSignal;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  readonly now?: () => number;
}

export interface Throttle {
  /** Runs a request in its turn, again after a pause where it may go through later. Throws `Refused` in the end. */
  run<T>(request: () => Promise<T>): Promise<T>;
}

const longestPauseMs = 120_000;

/** Bounded requests at a time, a bounded rate, and growing pauses; a rate limit met by one request holds back all. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { parallel, requestsPerMinute, retries, signal, now = Date.now } = options;
  const { sleep = (milliseconds: number) => wait(milliseconds, undefined, { signal }) } = options;
  const gapMs = requestsPerMinute ? 60_000 / requestsPerMinute : 0;
  const waiting: (() => void)[] = [];
  let free = parallel;
  let nextAt = 0;
  let pausedUntil = 0;

  const enter = () => (free > 0 ? void free-- : new Promise<void>((resolve) => waiting.push(resolve)));
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const ownTurn = async () => {
    const at = Math.max(nextAt, pausedUntil, now());
    nextAt = at + gapMs;
    if (at > now()) await sleep(at - now());
  };

  return {
    async run(request) {
      await enter();
      try {
        for (let attempt = 0; ; attempt++) {
          try {
            signal?.throwIfAborted();
            await ownTurn();
            return await request();
          } catch (error) {
            if (signal?.aborted || error instanceof UserError || error instanceof Refused) throw error;
            if (attempt >= retries)
              throw new Refused(`${messageOf(error)} (after ${attempt + 1} tries)`, { cause: error });
            const asked = error instanceof TryAgain ? error.afterMs : undefined;
            const pause = Math.min(asked ?? 1000 * 2 ** attempt, longestPauseMs);
            if (asked === undefined) await sleep(pause);
            else pausedUntil = Math.max(pausedUntil, now() + pause);
          }
        }
      } finally {
        leave();
      }
    },
  };
}

/** `fetch failed` hides its reason in the cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}

/** Whether nobody answers at that address, which then holds for all requests. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'].includes((error as NodeJS.ErrnoException).code ?? '') ||
    (error.cause !== undefined && isUnreachable(error.cause)) ||
    (error instanceof AggregateError && error.errors.some(isUnreachable)));
