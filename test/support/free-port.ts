import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of this machine that nobody listens on, below those that systems give to outgoing connections: a server that is
 * stopped and started again finds it still free.
 */
export function freePort(): Promise<number> {
  const port = randomInt(12_000, 32_000);
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
