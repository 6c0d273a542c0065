import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What can be made again is kept in the user's cache, not in the run: a run on a read-only disk can be looked at too. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sceneshift', 'studio');

export const readCache = (name: string): Promise<Buffer | undefined> =>
  readFile(join(cacheFolder(), name)).catch(() => undefined);

/** Written whole or not at all. Errors are ignored: without the cached file its content is computed again. */
export async function writeCache(name: string, bytes: Uint8Array | string): Promise<void> {
  try {
    await mkdir(cacheFolder(), { recursive: true });
    const partial = join(cacheFolder(), `.${name}.${process.pid}`);
    await writeFile(partial, bytes);
    await rename(partial, join(cacheFolder(), name));
  } catch {}
}
