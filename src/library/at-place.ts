import { isBeingWritten } from '../run/folder/index.ts';
import { inStagedFolder, withStagedFolder } from '../storage/in-staged-folder.ts';
import { isS3 } from '../storage/s3-url.ts';
import { checkPath } from './check.ts';

/** Reads a run where it lies: on object storage, by a copy on this disk. */
export async function readingAt<Result>(place: string, read: (path: string) => Promise<Result>): Promise<Result> {
  checkPath(place, 'a run or table');
  return isS3(place) ? withStagedFolder(place, ({ path }) => read(path), { isBusy: isBeingWritten }) : read(place);
}

/** Writes a run where it is to lie: on object storage, shard by shard. */
export const writingAt = <Result>(place: string, write: (path: string) => Promise<Result>): Promise<Result> =>
  isS3(place) ? inStagedFolder(place, ({ path }) => write(path)) : write(place);
