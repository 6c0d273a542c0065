import type { Sample } from '../contracts/sample.ts';
import type { Listing } from './files.ts';

export interface ReadOptions {
  /** Folder of masks parallel to the images, where they are not beside them. */
  readonly masks?: string;
  /** Finds the label in a file's name, for folders without class folders: `name`, `LABEL_*`, `/^(.+)_/`. */
  readonly labelFrom?: string;
  /**
   * Of several objects in one picture: the largest (default), all those of the largest one's class as one, or each as a
   * sample of its own.
   */
  readonly objects?: ObjectChoice;
}

export const objectChoices = ['largest', 'class', 'each'] as const;
export type ObjectChoice = (typeof objectChoices)[number];

/** What the user named, looked at once for all readers. */
export interface DatasetPlace {
  /** Absolute. */
  readonly path: string;
  readonly isFile: boolean;
  /** Directly below; empty for a file. */
  readonly listing: Listing;
}

export interface ReadProblem {
  readonly sample: string;
  readonly file: string;
  readonly problem: string;
  readonly message: string;
}

/** One annotation that cannot be read: costs its sample and a line with the file's name. */
export const annotationProblem = (sample: string, file: string, error: unknown): ReadProblem => ({
  sample,
  file,
  problem: 'annotation',
  message: `the annotation cannot be used: ${(error as Error).message.replace(`${file} `, 'it ')}`,
});

/** What a reader finds; sorting, classes and mask encodings are added for all alike. */
export interface ReaderResult {
  readonly samples: Sample[];
  readonly notes?: string[];
  readonly problems?: ReadProblem[];
}

/** A dataset layout. `detect` is cheap (names, a few bytes) and answers how sure it is: 0 not this one … 1 certain. */
export interface Reader {
  readonly id: string;
  readonly title: string;
  /** What it looks like on disk, for the documentation and for error messages. */
  readonly looksLike: string;
  /** Where several layouts fit, this one is taken, because the user wrote it as a list of what is there. */
  readonly explicit?: boolean;
  /** `masks` is used; with any other layout it is an error. */
  readonly takesMasks?: boolean;
  /** The layout lists its files itself (a manifest), so that other broken files in the folder are not reported. */
  readonly listsFiles?: boolean;
  detect(place: DatasetPlace): Promise<number> | number;
  read(place: DatasetPlace, options: ReadOptions): Promise<ReaderResult>;
}

export const defineReader = (reader: Reader): Reader => reader;
