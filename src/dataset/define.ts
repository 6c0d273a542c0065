import type { Dataset } from '../contracts/sample.ts';

export interface ReadOptions {
  /** Folder of masks parallel to the images, where they are not beside them. */
  readonly masks?: string;
}

/** A dataset layout. `detect` is cheap (names, a few bytes) and answers how sure it is: 0 not this one … 1 certain. */
export interface Reader {
  readonly id: string;
  readonly title: string;
  /** What it looks like on disk, for the documentation and for error messages. */
  readonly looksLike: string;
  detect(path: string): Promise<number>;
  read(path: string, options: ReadOptions): Promise<Dataset>;
}

export const defineReader = (reader: Reader): Reader => reader;
