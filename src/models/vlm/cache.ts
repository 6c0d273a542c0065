import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Reply } from './client.ts';

export const answerCacheDir = (env: NodeJS.ProcessEnv = process.env): string =>
  env.SCENESHIFT_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sceneshift');

/** The name of an answer: a hash of everything that decides it. */
export function answerKey(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest('hex');
}

/** Answers on disk: nothing is paid for twice. */
export function answerCache(folder: string) {
  const fileOf = (key: string) => join(folder, 'vlm', key.slice(0, 2), `${key}.json`);
  return {
    async get(key: string): Promise<Reply | undefined> {
      try {
        return JSON.parse(await readFile(fileOf(key), 'utf8')) as Reply;
      } catch {
        return undefined;
      }
    },
    async put(key: string, reply: Reply): Promise<void> {
      const file = fileOf(key);
      await mkdir(dirname(file), { recursive: true });
      const beside = `${file}.${process.pid}.new`;
      await writeFile(beside, JSON.stringify(reply));
      await rename(beside, file);
    },
  };
}
