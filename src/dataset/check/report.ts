import type { MaskEncoding } from '../../contracts/sample.ts';
import type { DecodeDifference } from '../../image/decode.ts';
import type { MaskDoubt } from './mask-doubts.ts';

/** Something about one file, with what to do about it. */
export interface CheckFinding {
  readonly sample: string;
  readonly file: string;
  readonly problem: string;
  readonly message: string;
  readonly hint: string;
}

export interface CheckSpread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface DoubtfulMask {
  readonly sample: string;
  readonly file: string;
  readonly doubts: readonly MaskDoubt[];
}

/** `dataset check --json`. */
export interface DatasetReport {
  readonly path: string;
  readonly layout: string;
  readonly samples: number;
  /** Entries that became no sample: unreadable annotations, links to nothing, lines without an image. */
  readonly lost: number;
  /**
   * Samples whose image and mask, if any, can be read; an empty or full mask only rules out scenarios that need one.
   */
  readonly usable: number;
  readonly classes: readonly {
    readonly label: string /** The label, or the name of a wnid. */;
    readonly name: string;
    readonly samples: number;
    readonly withMask: number;
  }[];
  readonly unlabelled: number;
  readonly splits: Readonly<Record<string, number>>;
  /** Empty where all images are photographs. */
  readonly scenarios: Readonly<Record<string, number>>;
  readonly images: {
    readonly files: number;
    readonly formats: Readonly<Record<string, number>>;
    readonly width: CheckSpread | null;
    readonly height: CheckSpread | null;
  };
  readonly masks: {
    readonly found: number;
    /** Found, readable, neither empty nor full. */
    readonly usable: number;
    readonly missing: number;
    /** The most frequent one. */
    readonly encoding: MaskEncoding | null;
    readonly encodings: Readonly<Record<string, number>>;
    readonly border: string;
    /** Share of the image that the object covers. */
    readonly share: (CheckSpread & { readonly q25: number; readonly q75: number }) | null;
  };
  /** Masks whose shape is doubtful, the worst first: tiny, in many pieces, or mostly uncertain. */
  readonly doubtfulMasks: readonly DoubtfulMask[];
  readonly duplicates: readonly {
    /** `bytes`: the files are the same; `pixels`: the pictures are, though the files differ. */
    readonly same: 'bytes' | 'pixels';
    readonly files: readonly string[];
    readonly labels: readonly string[];
  }[];
  /** Images that `decode: corrected` and `decode: pillow` read differently. */
  readonly decodeDifferences: readonly { readonly file: string; readonly differences: readonly DecodeDifference[] }[];
  /** How the labels meet ImageNet-1k's names; null where few of them do. */
  readonly imagenet: {
    readonly known: number;
    readonly ambiguous: readonly string[];
    readonly unknown: readonly string[];
  } | null;
  readonly problems: readonly CheckFinding[];
  /** Doubts that cost no sample. */
  readonly warnings: readonly CheckFinding[];
  readonly notes: readonly string[];
}

const hints: Readonly<Record<string, string>> = {
  'missing-file': 'is the path spelled as on disk, and relative to the manifest?',
  'unreadable-file': 'give a picture file that you may read',
  'empty-file': 'copy or download it again',
  'not-an-image': 'convert it to JPEG or PNG, or remove it',
  truncated: 'copy or download it again',
  crashed: 'convert it with another program, or remove it',
  'too-large': 'reduce it, or raise --max-pixels',
  'too-small': 'replace it by the picture it was made from',
  'mask-missing': 'sceneshift mask makes masks; scenarios that need none still run',
  'mask-unreadable': 'write the mask again, as a PNG of 0 and 255',
  'mask-size': 'write the mask at the size of its image',
  'mask-empty': 'scenarios that need a mask leave this image out; draw the object',
  'mask-full': 'scenarios that need a mask leave this image out; draw the object',
  'mask-inverted': 'invert it if it is the wrong way round; it is used as it is',
  'mask-rotated': 'nothing to do, if the outline fits',
  'mask-orientation': 'look whether the outline fits',
  'mask-encoding': 'nothing to do, if that is what it is',
  'mask-values': 'nothing to do, if the outline fits',
  'mask-resampled': 'write the mask at the size of its image if its outline matters',
  annotation: 'mend the annotation, or remove it',
  label: 'a model of ImageNet needs a labelMap for it (--model shows one to paste)',
  target: 'a model that knows the name uses the name',
};
export const hintFor = (problem: string): string => hints[problem] ?? 'look at the file';
