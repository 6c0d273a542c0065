import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { readBounded } from '../../net/request.ts';
import { Refused } from '../../net/throttle.ts';
import { reasonOf } from '../hub/download.ts';

export interface ClientOptions {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly timeoutSeconds: number;
  readonly retries: number;
  /** Requests at a time. */
  readonly parallel: number;
  readonly requestsPerMinute?: number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  readonly now?: () => number;
}

export interface Reply {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Client {
  /** One question about one picture. Throws `Unanswered` where this one cannot be answered. */
  ask(question: string, picture: { readonly bytes: Uint8Array; readonly type: string }): Promise<Reply>;
}

/** This request failed for good; others may not. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()]),
        }),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }).nullish(),
});

const longestWaitSeconds = 120;
/** What an answer may take besides its tokens, and a token at most. */
const [frameBytes, tokenBytes] = [2 ** 20, 64];

/** An OpenAI-compatible chat endpoint: bounded requests at a time, retries with growing pauses, rate limits kept. */
export function createClient(options: ClientOptions): Client {
  const { sleep = (milliseconds: number) => wait(milliseconds), now = Date.now } = options;
  const endpoint = `${options.url.replace(/\/$/, '')}/chat/completions`;
  const gapMs = options.requestsPerMinute ? 60_000 / options.requestsPerMinute : 0;
  let free = options.parallel;
  const queue: (() => void)[] = [];
  let nextAt = 0;
  /** A rate limit met by one request holds back all. */
  let pausedUntil = 0;

  const enter = () => (free > 0 ? void free-- : new Promise<void>((resolve) => queue.push(resolve)));
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  const ownTurn = async () => {
    const at = Math.max(nextAt, pausedUntil, now());
    nextAt = at + gapMs;
    if (at > now()) await sleep(at - now());
  };

  const once = async (question: string, { bytes, type }: { bytes: Uint8Array; type: string }) => {
    await ownTurn();
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({
        model: options.model,
        temperature: options.temperature,
        max_tokens: options.maxTokens,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: question },
              { type: 'image_url', image_url: { url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}` } },
            ],
          },
        ],
      }),
      signal: AbortSignal.timeout(options.timeoutSeconds * 1000),
    });
    const body = await textOf(response);
    if (response.ok) return readReply(body);
    const message = `${endpoint} answered ${response.status}: ${errorText(body)}`;
    if (response.status === 401 || response.status === 403)
      throw new UserError(`${message}; set the key in the environment (docs/models.md)`);
    if (response.status === 404) throw new UserError(message);
    if (![408, 409, 425, 429].includes(response.status) && response.status < 500) throw new Unanswered(message);
    throw new Retry(message, retryAfterMs(response.headers.get('retry-after'), now()));
  };

  const textOf = async (response: Response) => {
    try {
      const bytes = await readBounded(response, frameBytes + tokenBytes * options.maxTokens);
      return new TextDecoder().decode(bytes);
    } catch (error) {
      if (error instanceof Refused) throw new Unanswered(`${endpoint} sent ${error.message}`);
      throw error;
    }
  };

  return {
    async ask(question, picture) {
      await enter();
      try {
        for (let attempt = 0; ; attempt++) {
          try {
            return await once(question, picture);
          } catch (error) {
            if (error instanceof UserError || error instanceof Unanswered) throw error;
            if (attempt >= options.retries) throw new Unanswered(`${reasonOf(error)} (after ${attempt + 1} tries)`);
            const asked = error instanceof Retry ? error.afterMs : undefined;
            const pause = Math.min(asked ?? 1000 * 2 ** attempt, longestWaitSeconds * 1000);
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

class Retry extends Error {
  readonly afterMs: number | undefined;
  constructor(message: string, afterMs: number | undefined) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** Seconds, or a date. */
function retryAfterMs(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function readReply(body: string): Reply {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Unanswered(`the answer is not JSON: ${body.slice(0, 80)}`);
  }
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) throw new Unanswered(`the answer has no choices[0].message.content: ${body.slice(0, 120)}`);
  const { content } = parsed.data.choices[0].message;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '');
  const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0 } = parsed.data.usage ?? {};
  return { text, promptTokens, completionTokens };
}

function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: string | { message?: string } };
    const text = typeof error === 'string' ? error : error?.message;
    if (text) return text.slice(0, 200);
  } catch {
    // Not JSON: shown as it came.
  }
  return body.slice(0, 200);
}
