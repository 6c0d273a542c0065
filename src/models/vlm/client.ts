import { z } from 'zod';
import { request } from '../../net/request.ts';
import { createThrottle, Refused, type ThrottleOptions } from '../../net/throttle.ts';

export interface ClientOptions extends ThrottleOptions {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Named where the key is missing or wrong. */
  readonly keyName?: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly timeoutSeconds: number;
}

export interface Reply {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Client {
  /** One question about one picture. Throws `Refused` where this one cannot be answered. */
  ask(question: string, picture: { readonly bytes: Uint8Array; readonly type: string }): Promise<Reply>;
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

/** What an answer may take besides its tokens, and a token at most. */
const [frameBytes, tokenBytes] = [2 ** 20, 64];

/** An OpenAI-compatible chat endpoint: bounded requests at a time, retries with growing pauses, rate limits kept. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, keyName, model, temperature, maxTokens, timeoutSeconds, signal } = options;
  const endpoint = `${options.url.replace(/\/$/, '')}/chat/completions`;
  const throttle = createThrottle(options);
  return {
    ask: (question, { bytes, type }) =>
      throttle.run(async () => {
        const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
        const content = [
          { type: 'text', text: question },
          { type: 'image_url', image_url: { url } },
        ];
        const reply = await request(
          endpoint,
          {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
            body: JSON.stringify({
              ...{ model, temperature, max_tokens: maxTokens },
              messages: [{ role: 'user', content }],
            }),
          },
          { timeoutSeconds, maxBytes: frameBytes + tokenBytes * maxTokens, keyName, signal },
        );
        return readReply(new TextDecoder().decode(reply.bytes));
      }),
  };
}

function readReply(body: string): Reply {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Refused(`the answer is not JSON: ${body.slice(0, 80)}`);
  }
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) throw new Refused(`the answer has no choices[0].message.content: ${body.slice(0, 120)}`);
  const { content } = parsed.data.choices[0].message;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '');
  const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0 } = parsed.data.usage ?? {};
  return { text, promptTokens, completionTokens };
}
