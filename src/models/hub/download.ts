import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../contracts/errors.ts';

export interface RemoteFile {
  readonly path: string;
  readonly size: number;
  /** SHA-256 of the bytes for large files; git's SHA-1 of the blob for others. */
  readonly checksum: string;
}

export interface DownloadOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly onProgress?: (done: number) => void;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const attempts = 5;

/**
 * Brings a file to `to`: into `to.incomplete`, going on where an earlier try stopped, then checked, then renamed, so that
 * what stands under its name is whole.
 */
export async function download(file: RemoteFile, to: string, options: DownloadOptions): Promise<void> {
  const { sleep = (milliseconds: number) => wait(milliseconds) } = options;
  const part = `${to}.incomplete`;
  await mkdir(dirname(to), { recursive: true });
  let broken = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      await fetchRest(file, part, options);
    } catch (error) {
      if (error instanceof UserError || attempt >= attempts) throw unreachable(file, error);
      await sleep(500 * 2 ** attempt);
      continue;
    }
    const found = await checksumOf(part, file);
    if (found === file.checksum) break;
    // The file is deleted: which bytes are wrong is not known.
    await rm(part, { force: true });
    if (++broken === 2)
      throw new UserError(`${file.path} arrived damaged twice: its checksum is ${found}, expected ${file.checksum}`);
  }
  await rename(part, to);
}

const unreachable = (file: RemoteFile, error: unknown): UserError =>
  error instanceof UserError
    ? error
    : new UserError(
        `${file.path} could not be downloaded: ${reasonOf(error)}; the part that came is kept, so the same command goes on from there`,
      );

/** `fetch` hides the reason in `cause`. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name : String(cause);
}

async function fetchRest(
  { path, size }: RemoteFile,
  part: string,
  { url, headers, onProgress }: DownloadOptions,
): Promise<void> {
  let have = existsSync(part) ? statSync(part).size : 0;
  if (have > size) {
    await rm(part);
    have = 0;
  }
  if (have === size && size > 0) return;
  const response = await fetch(url, { headers: { ...headers, ...(have > 0 && { range: `bytes=${have}-` }) } });
  if (response.status === 416) {
    await rm(part, { force: true });
    throw new Error('the server does not go on where the last try stopped');
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    if (response.status >= 500 || response.status === 429) throw new Error(`the server answered ${response.status}`);
    throw new UserError(`${path} could not be downloaded: the server answered ${response.status}`);
  }
  // A server that ignores ranges sends everything again.
  if (response.status !== 206) have = 0;
  const tooLong = async (bytes: number | string) => {
    await rm(part, { force: true });
    return new UserError(
      `${path} is ${size} bytes by the hub's listing, but the hub sends ${bytes}; nothing of it is kept`,
    );
  };
  const announced = have + Number(response.headers.get('content-length') ?? 0);
  if (announced > size && !response.headers.get('content-encoding')) {
    await response.body.cancel();
    throw await tooLong(announced);
  }
  const target = await open(part, have > 0 ? 'a' : 'w');
  try {
    for await (const chunk of response.body) {
      have += chunk.length;
      if (have > size) throw await tooLong('more');
      await target.write(chunk);
      onProgress?.(have);
    }
  } finally {
    await target.close();
  }
  if (have < size) throw new Error(`the connection ended after ${have} of ${size} bytes`);
}

async function checksumOf(path: string, { checksum, size }: RemoteFile): Promise<string> {
  const hash: Hash = checksum.length === 64 ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
