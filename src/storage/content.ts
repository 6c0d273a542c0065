import { stat } from 'node:fs/promises';
import { SampleError } from '../contracts/errors.ts';
import { contentFile, keep, makeRoom, touch } from './cache-folder.ts';
import { contentId, isStandIn, readStandIn, type StandIn, writeStandIn } from './mirror.ts';
import { downloadObject } from './objects.ts';
import { isMissing, statusOf, storageError } from './patience.ts';
import { s3Url } from './s3-url.ts';

const coming = new Map<string, Promise<void>>();

/** The file in the cache with what a stand-in stands for, fetched where it is not there. */
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

/** The hash of a file that was read once before, though it may be gone from the cache. */
export const knownHash = async (path: string): Promise<string | undefined> =>
  isStandIn(path) ? (await readStandIn(path)).sha256 : undefined;

export async function rememberHash(path: string, sha256: string): Promise<void> {
  if (isStandIn(path)) await writeStandIn(path, { ...(await readStandIn(path)), sha256 });
}
