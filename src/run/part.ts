import type { Share } from '../contracts/queue.ts';
import { type FolderLock, inOwnFolder } from './folder/index.ts';

/** How a command's samples are divided among machines. */
export interface PartOptions {
  /** Only these of the samples. */
  readonly share?: Share;
  /** Others fill the same folder meanwhile: no lock is taken, nothing swept, and what needs the whole is left to them. */
  readonly sideBySide?: boolean;
  /** Has others do what is missing; what they leave is done here. Called with how many samples miss something. */
  readonly elsewhere?: (samples: number) => Promise<void>;
}

/** The work of one process that has the folder to itself, or of one among several. */
export const inFolder = <T>(
  folder: string,
  { sideBySide }: PartOptions,
  work: (lock?: FolderLock) => Promise<T>,
): Promise<T> => (sideBySide ? work() : inOwnFolder(folder, work));
