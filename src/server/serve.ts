import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { UserError } from '../contracts/errors.ts';
import type { Studio } from './app.ts';

export interface Served {
  readonly port: number;
  close(): Promise<void>;
}

export function serveStudio({ app, close }: Studio, { host, port }: { host: string; port: number }): Promise<Served> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (address: AddressInfo) =>
      resolve({
        port: address.port,
        close: async () => {
          if ('closeAllConnections' in server) server.closeAllConnections();
          await new Promise((done) => server.close(done));
          await close();
        },
      }),
    );
    server.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new UserError(`Port ${port} of ${host} is taken; choose another with --port`)
          : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
            ? new UserError(`This machine has no address ${host} to bind to; leave --host out for 127.0.0.1`)
            : error,
      ),
    );
  });
}
