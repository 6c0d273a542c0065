import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { readBounded } from '../../net/request.ts';
import { Refused } from '../../net/throttle.ts';
import type { OpenOptions } from '../define.ts';
import { hubCacheDir, type RepoCache, repoCache } from './cache.ts';
import { download, type RemoteFile, reasonOf } from './download.ts';
import { wantedFiles } from './wanted-files.ts';

export interface FetchModelOptions extends Pick<OpenOptions, 'offline' | 'cacheDir' | 'onProgress'> {
  /** `owner/name`. */
  readonly id: string;
  /** Branch, tag or commit. */
  readonly revision?: string;
  /** One file of the repository, instead of the usual choice. */
  readonly file?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const treeSchema = z.array(
  z.looseObject({
    type: z.string(),
    path: z.string(),
    size: z.number().int().nonnegative().default(0),
    oid: z.string().optional(),
    lfs: z.looseObject({ oid: z.string(), size: z.number().int().nonnegative() }).optional(),
  }),
);

/** Downloads what is needed to run a model of the hub, or finds it in the cache; returns the folder of its snapshot. */
export async function fetchModel(options: FetchModelOptions): Promise<string> {
  const { id, revision = 'main', file, env = process.env } = options;
  const cache = repoCache(options.cacheDir ?? hubCacheDir(env), id);
  if (options.offline || isOn(env.HF_HUB_OFFLINE)) return fromCache(cache, id, revision, file);
  const endpoint = (env.HF_ENDPOINT ?? 'https://huggingface.co').replace(/\/$/, '');
  const token = env.HF_TOKEN ?? env.HUGGING_FACE_HUB_TOKEN;
  const hub: Hub = { endpoint, id, headers: token ? { authorization: `Bearer ${token}` } : {} };
  let tree: RemoteFile[];
  try {
    tree = await listFiles(hub, revision);
  } catch (error) {
    if (error instanceof UserError) throw error;
    // Without a network, what was downloaded before still runs.
    const commit = await cache.commitOf(revision);
    if (commit) return fromCache(cache, id, revision, file);
    throw new UserError(`${endpoint} cannot be reached (${reasonOf(error)}), and ${id} is not in the cache`);
  }
  const wanted = wantedFiles(tree, id, file);
  const commit = await commitOf(hub, revision, wanted[0].path);
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const each of wanted) {
    const blob = cache.blob(each.checksum);
    if (!existsSync(blob)) {
      await download(each, blob, {
        url: `${endpoint}/${id}/resolve/${encodeURIComponent(commit)}/${encodePath(each.path)}`,
        headers: hub.headers,
        sleep: options.sleep,
        onProgress: (done) => options.onProgress?.({ file: each.path, done: before + done, total }),
      });
    }
    await cache.link(commit, each.path, each.checksum);
    before += each.size;
  }
  await cache.remember(revision, commit);
  return cache.snapshot(commit);
}

/** A hub that says nothing for so long counts as unreachable. */
const replyMs = 30_000;
/** A page of a listing has a thousand files; no repository needs more than this. */
const [pageBytes, mostPages] = [2 ** 24, 200];

const isOn = (value: string | undefined) => value !== undefined && /^(1|on|yes|true)$/i.test(value);
const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

interface Hub {
  readonly endpoint: string;
  readonly id: string;
  readonly headers: Record<string, string>;
}

async function fromCache(cache: RepoCache, id: string, revision: string, file: string | undefined): Promise<string> {
  const commit = await cache.commitOf(revision);
  const folder = commit && cache.snapshot(commit);
  if (!folder || !existsSync(folder) || (file && !existsSync(join(folder, file))))
    throw new UserError(
      `${id}${file ? ` (${file})` : ''} at ${revision} is not in the cache (${cache.folder}); run once without --offline`,
    );
  return folder;
}

async function listFiles({ endpoint, id, headers }: Hub, revision: string): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  let next: string | undefined = `${endpoint}/api/models/${id}/tree/${encodeURIComponent(revision)}?recursive=true`;
  for (let page = 0; next; page++) {
    if (page === mostPages)
      throw new UserError(
        `${endpoint} lists the files of ${id} on more than ${mostPages} pages; give the model as a folder`,
      );
    const response: Response = await fetch(next, { headers, signal: AbortSignal.timeout(replyMs) });
    if (!response.ok) throw refused(response, id, revision, endpoint);
    for (const { type, path, size, oid, lfs } of await pageOf(response, id, endpoint)) {
      const checksum = lfs?.oid ?? oid;
      if (type === 'file' && checksum) files.push({ path, size: lfs?.size ?? size, checksum });
    }
    const link: RegExpExecArray | null = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '');
    next = link ? new URL(link[1], next).href : undefined;
  }
  return files;
}

async function pageOf(response: Response, id: string, endpoint: string) {
  const bytes = await readBounded(response, pageBytes).catch((error: unknown) => {
    if (error instanceof Refused) throw new UserError(`${endpoint} lists the files of ${id} in ${error.message}`);
    throw error;
  });
  try {
    return treeSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw new Error('what it sent is no list of files');
  }
}

/** The commit behind a revision: the hub says it with every file. */
async function commitOf({ endpoint, id, headers }: Hub, revision: string, path: string): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  const url = `${endpoint}/${id}/resolve/${encodeURIComponent(revision)}/${encodePath(path)}`;
  const response = await fetch(url, {
    method: 'HEAD',
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(replyMs),
  });
  const commit = response.headers.get('x-repo-commit');
  if (commit && /^[0-9a-f]{40}$/.test(commit)) return commit;
  throw new UserError(`${endpoint} does not say which commit ${id}@${revision} is`);
}

function refused({ status }: Response, id: string, revision: string, endpoint: string): Error {
  if (status === 401 || status === 403)
    return new UserError(
      `${id} is private, gated or does not exist on ${endpoint} (status ${status}); set HF_TOKEN to a token that may read it`,
    );
  if (status === 404) return new UserError(`There is no model ${id}, or no revision ${revision} of it, on ${endpoint}`);
  return new Error(`${endpoint} answered ${status}`);
}
