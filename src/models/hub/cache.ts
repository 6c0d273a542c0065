import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../../contracts/errors.ts';

/** Hugging Face's own cache, so that what Python downloaded is found and what is downloaded here is shared. */
export function hubCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HF_HUB_CACHE) return env.HF_HUB_CACHE;
  if (env.HF_HOME) return join(env.HF_HOME, 'hub');
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'huggingface', 'hub');
}

/** One repository in the cache: blobs by checksum, snapshots of links to them, refs from revision to commit. */
export interface RepoCache {
  readonly folder: string;
  blob(checksum: string): string;
  snapshot(commit: string): string;
  /** The commit a revision pointed to when last looked up. */
  commitOf(revision: string): Promise<string | undefined>;
  remember(revision: string, commit: string): Promise<void>;
  /** Makes a blob appear under its name in a snapshot. */
  link(commit: string, path: string, checksum: string): Promise<void>;
}

export function repoCache(cacheDir: string, id: string): RepoCache {
  const folder = join(cacheDir, `models--${id.replaceAll('/', '--')}`);
  const snapshot = (commit: string) => inside(join(folder, 'snapshots'), commit);
  const ref = (revision: string) => inside(join(folder, 'refs'), revision);
  return {
    folder,
    blob: (checksum) => inside(join(folder, 'blobs'), checksum),
    snapshot,
    async commitOf(revision) {
      if (existsSync(snapshot(revision))) return revision;
      return existsSync(ref(revision)) ? (await readFile(ref(revision), 'utf8')).trim() : undefined;
    },
    async remember(revision, commit) {
      if (revision === commit) return;
      await mkdir(dirname(ref(revision)), { recursive: true });
      await writeFile(`${ref(revision)}.new`, commit);
      await rename(`${ref(revision)}.new`, ref(revision));
    },
    async link(commit, path, checksum) {
      const to = inside(snapshot(commit), path);
      const from = join(folder, 'blobs', checksum);
      if (existsSync(to)) return;
      await mkdir(dirname(to), { recursive: true });
      await rm(to, { force: true });
      // Windows lets only some users make links.
      await symlink(relative(dirname(to), from), to).catch(() => copyFile(from, to));
    },
  };
}

/** Names come from a server: none may lead out of the cache. */
function inside(folder: string, name: string): string {
  const path = resolve(folder, name);
  if (!path.startsWith(resolve(folder) + sep)) throw new UserError(`The hub named a file outside the cache: ${name}`);
  return path;
}
