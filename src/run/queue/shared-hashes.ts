import type { Assignment } from '../../contracts/queue.ts';
import { learnHashes, shareableHashes } from '../../storage/content.ts';
import { openMarks } from '../../storage/marks.ts';
import { isS3 } from '../../storage/s3-url.ts';

/** Where a coordinator tells workers what it has read, below a folder on object storage. */
const hashesFolder = '.hashes';

/**
 * Has work done while workers can learn the hashes of the pictures that this process has read: they need not fetch a picture
 * to know what it is.
 */
export async function sharingHashes<T>({ id }: Assignment, out: string, work: () => Promise<T>): Promise<T> {
  if (!isS3(out)) return work();
  const marks = openMarks(out, hashesFolder);
  await marks.put(`${id}.json`, shareableHashes());
  const result = await work();
  await marks.clear();
  return result;
}

export async function learnSharedHashes({ id }: Assignment, out: string): Promise<void> {
  if (isS3(out)) learnHashes((await openMarks(out, hashesFolder).read(`${id}.json`)) ?? '{}');
}
