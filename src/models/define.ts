import type { ModelSettings } from '../contracts/model-config.ts';
import type { Preprocessing } from '../contracts/model-record.ts';
import type { NamedChoice } from '../contracts/published.ts';
import type { Raster } from '../image/raster.ts';
import type { LabelMap } from '../labels/targets.ts';

/** One preprocessed variant in the form its model takes; its buffer can be transferred between threads. */
export type Prepared = Float32Array | Uint8Array | Uint16Array;

/** Which variant is asked about. Classifiers look at the picture alone; other kinds need the rest. */
export interface Question {
  readonly sample: string;
  readonly scenario: string;
  readonly label?: string;
  /** Size of the variant, before preprocessing. */
  readonly width: number;
  readonly height: number;
}

/** Class index of every pixel, at the variant's size. */
export interface ClassMap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
}

export type Answer =
  /** Scores over all outputs of a classifier. */
  | { readonly kind: 'scores'; readonly scores: Float32Array }
  /** An answer judged on the spot; `correct` null: it could not be judged. */
  | {
      readonly kind: 'verdict';
      readonly prediction: string;
      readonly correct: boolean | null;
      /** Of the prediction, and of the truth; left out: not known. */
      readonly probability?: number;
      readonly probabilityTruth?: number;
      /** Of the truth; left out: not known. */
      readonly rank?: number;
      /** Of a two-choice question: what was named when the truth stood first. */
      readonly named?: NamedChoice;
    }
  | { readonly kind: 'mask'; readonly classes: ClassMap }
  /** This variant could not be answered; others can. */
  | { readonly kind: 'failed'; readonly message: string };

/** All that is known of a model before it is opened; found once in the main thread, cloneable into workers. */
export interface ModelDescription {
  readonly name: string;
  /** `classifier`, `segmenter`, `clip`, `vlm`, `command`, `predictions`, or one of `describes` of another declaration. */
  readonly kind: string;
  /** The file, folder, address or program. */
  readonly source: string;
  /** Everything that decides a number: goes into `run.json` and shard names. */
  readonly identity: Record<string, unknown>;
  /** Names of the outputs, where known; several names of one output are separated by commas. */
  readonly labels: readonly string[] | undefined;
  /** WordNet ids of the outputs, where the labels are ImageNet's. */
  readonly wnids?: readonly string[];
  /** The config's, for this model alone. */
  readonly labelMap?: LabelMap;
  /** Where the names come from: `FILE.json`, `imagenet-1k (guessed from 1000 outputs)`. */
  readonly labelsFrom?: string;
  readonly outputs: 'logits' | 'probabilities';
  readonly outputCount?: number;
  /** Weights of the model, where it can be opened and counted. */
  readonly parameters?: number;
  /** The most variants one `answer` call takes. */
  readonly batch: number;
  /** `worker`: compute-bound, one copy per worker thread. `main`: waits on another program, one copy in all. */
  readonly runsIn: 'worker' | 'main';
  /** False: answers are looked up, no variant need be made. */
  readonly looksAtPixels: boolean;
  readonly preprocessing?: Preprocessing;
  /** Told once, before any work. */
  readonly warnings: readonly string[];
}

/** A model ready to answer. */
export interface Model extends ModelDescription {
  /** Never the picture's own memory, nor is the picture kept: the next one is written over it. A plugin is shown a copy. */
  prepare(image: Raster): Prepared | Promise<Prepared>;
  /** One answer per prepared variant, in order; any number of them, though `batch` at a time is fastest. */
  answer(batch: readonly Prepared[], questions: readonly Question[]): Promise<Answer[]>;
  /** What was spent so far, where answers cost something: requests, tokens, money. */
  usage?(): Readonly<Record<string, number>>;
  /** Models of one name here prepare a picture to the same numbers; undefined: not known. */
  readonly preparation?: string;
  /** Takes back prepared variants that nobody needs any more, to fill them again: less memory to make and to sweep. */
  recycle?(batch: readonly Prepared[]): void;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Threads of the runtime for one copy of the model. */
  readonly threads?: number;
  readonly batch?: number;
  /** Take only what is already in the cache. */
  readonly offline?: boolean;
  readonly cacheDir?: string;
  /** The dataset's classes: what zero-shot and vision-language models choose from, unless the config lists labels. */
  readonly classes?: readonly string[];
  /** What `describeModel` found: saves reading and hashing again. */
  readonly described?: ModelDescription;
  /** Told of a session of the runtime that opening the model will need, before it is tried here. */
  readonly onSession?: (session: SessionFile) => void;
  /** Told about downloads. */
  readonly onProgress?: (event: { file: string; done: number; total: number }) => void;
}

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * A kind of model. Adding one is a file in `kinds/` and a line in its `index.ts`, or a plugin.
 *
 * `describe` runs once, in the main thread, before any work. What it gives is cloned into the worker threads; there, and
 * for `runsIn: 'main'` once more in the main thread, `open` makes a `Model` of it. `prepare` always runs in the worker that
 * made the picture. `answer` runs in the same worker where `runsIn` is `worker`, else in the main thread.
 */
export interface ModelKind<D extends ModelDescription = ModelDescription> {
  /** Also its prefix: `id:rest`. */
  readonly id: string;
  readonly title: string;
  /** How `--model` is written, for lists. */
  readonly written: string;
  /** The `kind`s that its descriptions have. */
  readonly describes: readonly string[];
  /** Of a file or folder that is named without a prefix: what to describe, where it is of this kind. */
  find?(path: string, settings: ModelSettings): string | undefined;
  /** What it is, what decides its numbers, and every problem that can be found before any work. */
  describe(what: string, settings: ModelSettings, options: OpenOptions): Promise<D>;
  open(described: D, options: OpenOptions): Model | Promise<Model>;
}

export const defineModel = <D extends ModelDescription>(kind: ModelKind<D>): ModelKind<D> => kind;
