import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../../src/contracts/random.ts';
import type { FuzzInput } from '../fuzz.ts';
import { disturb, disturbBytes, disturbText, oddText } from '../grammar.ts';
import { oddInteger } from '../pieces.ts';

/** One answer of a server: what it says of itself and what it sends; `cut` ends the connection after so many bytes. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly cut?: number;
}

const sendable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?');

export function oddReply(value: unknown, random: Random, more: Record<string, string> = {}): Reply {
  const text = JSON.stringify(random.uniform() < 0.6 ? disturb(value, random, 0.05) : value) ?? '';
  const body = random.uniform() < 0.12 ? disturbText(text, random) : text;
  const bytes = Buffer.from(body);
  return {
    status: random.uniform() < 0.9 ? 200 : random.pick([201, 204, 206, 301, 400, 404, 416, 418, 429, 500, 503]),
    headers: {
      ...more,
      ...(random.uniform() < 0.05 && { 'content-length': String(oddInteger(random, bytes.length)) }),
      ...(random.uniform() < 0.05 && { 'content-encoding': random.pick(['gzip', 'br', 'identity', 'x']) }),
      ...(random.uniform() < 0.05 && { 'retry-after': random.pick(['0', '-1', 'soon', '1e9']) }),
      ...(random.uniform() < 0.05 && { location: random.pick(['/', '/again', 'http://[', sendable(oddText(random))]) }),
      ...(random.uniform() < 0.05 && {
        link: `<${random.pick(['?cursor=2', 'http://[', sendable(oddText(random))])}>; rel="next"`,
      }),
    },
    body: (random.uniform() < 0.08 ? Buffer.from(disturbBytes(bytes, random)) : bytes).toString('latin1'),
    ...(random.uniform() < 0.05 && { cut: random.integer(0, bytes.length) }),
  };
}

export const packed = (replies: Record<string, Reply>): FuzzInput => ({ replies: JSON.stringify(replies) });

/** A server whose answer to a request is the reply of the first name that its path contains, else the one named ''. */
export async function openServer(): Promise<{ url: string; give(input: FuzzInput): void }> {
  let replies: Record<string, Reply> = {};
  const server = createServer((request, response) => {
    request.resume();
    const name = Object.keys(replies).find((part) => part && request.url?.includes(part)) ?? '';
    const { status, headers, body, cut } = replies[name] ?? { status: 404, headers: {}, body: '' };
    const bytes = Buffer.from(body, 'latin1');
    request.on('end', () => {
      response.on('error', () => undefined);
      response.writeHead(status, headers);
      if (cut === undefined && request.method !== 'HEAD') return void response.end(bytes);
      if (request.method === 'HEAD') return void response.end();
      response.write(bytes.subarray(0, cut), () => response.socket?.destroy());
    });
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    give(input) {
      replies = JSON.parse(String(input.replies));
      // A connection that lies about its length would wait for the rest: the next input gets a fresh one.
      server.closeIdleConnections();
    },
  };
}
