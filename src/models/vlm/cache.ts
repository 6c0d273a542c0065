import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Reply } from './client.ts';

export const answerCacheDir = (env: NodeJS.ProcessEnv = process.env): string =>
  env.SCENESHIFT_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sceneshift');

/** Answers on disk, by everything that decides them: nothing is paid for twice. */
export function answerCache(folder: string) {
  const fileOf = (parts: readonly (string | Uint8Array)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(`${part.length}\0`).update(part);
    const name = hash.digest('hex');
    return join(folder, 'vlm', name.slice(0, 2), `${name}.json`);
  };
  return {
    async get(parts: readonly (string | Uint8Array)[]): Promise<Reply | undefined> {
      try {
        return JSON.parse(await readFile(fileOf(parts), 'utf8')) as Reply;
      } catch {
        return undefined;
      }
    },
    async put(parts: readonly (string | Uint8Array)[], reply: Reply): Promise<void> {
      const file = fileOf(parts);
      await mkdir(dirname(file), { recursive: true });
      const beside = `${file}.${process.pid}.new`;
      await writeFile(beside, JSON.stringify(reply));
      await rename(beside, file);
    },
  };
}
