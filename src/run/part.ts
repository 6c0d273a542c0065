import type { Share } from '../contracts/queue.ts';
import { type FolderLock, inOwnFolder } from './folder/index.ts';

/** How a command's samples are divided among machines. */
export interface PartOptions {
  /** Only these of the samples. */
  readonly share?: Share;
  /**
   * Other machines fill the same folder meanwhile: no lock is taken, nothing is swept, and steps that need all samples
   * are left out.
   */
  readonly sideBySide?: boolean;
  /** Has other machines do what is missing, and is told the places of those samples; what they leave is done here. */
  readonly elsewhere?: (places: readonly number[]) => Promise<void>;
}

/** Runs the work under the folder's lock, or without it where several machines fill the folder. */
export const inFolder = <T>(
  folder: string,
  { sideBySide }: PartOptions,
  work: (lock?: FolderLock) => Promise<T>,
): Promise<T> => (sideBySide ? work() : inOwnFolder(folder, work));
