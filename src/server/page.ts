import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { Hono } from 'hono';
import { UserError } from '../contracts/errors.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the built page by the address each is served at; nothing else of the disk can be named. */
export async function readPage(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UserError(
      `The studio's page is not at ${folder}: install the package again, or npm run build in a clone`,
    );
  });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
}

export function pageRoutes(files: ReadonlyMap<string, string>): Hono {
  return new Hono().get('/*', async (c, next) => {
    const path = c.req.path === '/' ? '/index.html' : c.req.path;
    const file = files.get(path);
    if (!file) return next();
    // Vite names assets after their content, so they never change under one name.
    c.header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('content-type', types[extname(file)] ?? 'application/octet-stream');
    return c.body(new Uint8Array(await readFile(file)));
  });
}
