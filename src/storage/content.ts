import { stat } from 'node:fs/promises';
import { SampleError } from '../contracts/errors.ts';
import { contentFile, keep, makeRoom, touch } from './cache-folder.ts';
import { contentId, isStandIn, readStandIn, type StandIn, writeStandIn } from './mirror.ts';
import { downloadObject } from './objects.ts';
import { isMissing, statusOf, storageError } from './patience.ts';
import { s3Url } from './s3-url.ts';

const coming = new Map<string, Promise<void>>();

/** The cached file with the content that a stand-in stands for, fetched where it is missing. */
export async function contentOf(path: string): Promise<string> {
  const standIn = await readStandIn(path);
  const file = contentFile(contentId(standIn));
  if (await stat(file).catch(() => undefined)) await touch(file);
  else {
    let fetching = coming.get(file);
    if (!fetching) {
      fetching = fetchContent(standIn, file).finally(() => coming.delete(file));
      coming.set(file, fetching);
    }
    await fetching;
  }
  return file;
}

/** Begins to fetch pictures that will be opened soon, some at a time; what cannot be fetched is told when it is opened. */
export async function prefetch(paths: readonly string[]): Promise<void> {
  const waiting = paths.filter(isStandIn).values();
  const drain = async () => {
    for (const path of waiting) await contentOf(path).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: 8 }, drain));
}

async function fetchContent(standIn: StandIn, file: string): Promise<void> {
  const url = s3Url(standIn);
  try {
    await keep(file, (partial) => downloadObject(standIn, partial, standIn));
  } catch (error) {
    if (isMissing(error)) throw new SampleError('missing-file', `${url} does not exist any more`, { file: url });
    if (statusOf(error) === 412)
      throw new SampleError('unreadable-file', `${url} was changed since it was listed`, { file: url });
    throw storageError(url, error);
  }
  await makeRoom(standIn.size);
}

/** Hashes by content, as this process has learnt them. */
const learnt = new Map<string, string>();

/** The hash of a file that this or another machine has read before, though it may be gone from the cache. */
export async function knownHash(path: string): Promise<string | undefined> {
  if (!isStandIn(path)) return undefined;
  const standIn = await readStandIn(path);
  const known = standIn.sha256 ?? learnt.get(contentId(standIn));
  if (known) learnt.set(contentId(standIn), known);
  return known;
}

export async function rememberHash(path: string, sha256: string): Promise<void> {
  if (!isStandIn(path)) return;
  const standIn = await readStandIn(path);
  learnt.set(contentId(standIn), sha256);
  await writeStandIn(path, { ...standIn, sha256 });
}

/** Hashes of the contents that this machine has read, so that another one need not read them. */
export const shareableHashes = (): string => JSON.stringify(Object.fromEntries(learnt));

export function learnHashes(text: string): void {
  for (const [id, sha256] of Object.entries(JSON.parse(text) as Record<string, string>)) learnt.set(id, sha256);
}
