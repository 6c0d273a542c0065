import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Server } from './s3-server.ts';

export interface Passing {
  /** Waited for before a request is passed on. */
  before?(asked: IncomingMessage): Promise<void> | void;
  /** Where this says so the server gets the request and does it, but its answer is lost on the way back. */
  losesAnswer?(asked: IncomingMessage): boolean;
  /** Answers itself; false: the server is to. */
  instead?(asked: IncomingMessage, answer: ServerResponse): boolean;
}

/** A way to the server on which things can be held up or get lost. */
export async function startS3Proxy({ env }: S3Server, { before, losesAnswer, instead }: Passing) {
  const target = new URL(env.AWS_ENDPOINT_URL);
  const proxy = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    await before?.(asked);
    if (instead?.(asked, answer)) return;
    const { method, url: path, headers } = asked;
    // The signature covers the headers: they are passed on as they are.
    const passed = request({ host: target.hostname, port: target.port, method, path, headers }, (came) => {
      if (losesAnswer?.(asked)) {
        came.resume();
        came.on('end', () => asked.socket.destroy());
        return;
      }
      answer.writeHead(came.statusCode ?? 500, came.headers);
      came.pipe(answer);
    });
    passed.on('error', () => asked.socket.destroy());
    passed.end(Buffer.concat(parts));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    env: { ...env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` },
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
