import type { Mask, Raster } from '../image/raster.ts';

/** One preprocessed variant in the form its model eats; its buffer can be transferred between threads. */
export type Prepared = Float32Array | Uint8Array | Uint16Array;

/** What a model is asked beside the picture; only vision-language models use it. */
export interface Question {
  readonly sample: string;
  readonly label?: string;
}

export type Answer =
  /** Scores over all outputs of a classifier. */
  | { readonly kind: 'scores'; readonly scores: Float32Array }
  /** An answer judged on the spot; `correct` null: it could not be judged. */
  | {
      readonly kind: 'verdict';
      readonly prediction: string;
      readonly correct: boolean | null;
      readonly probability?: number;
    }
  /** Class index of every pixel, at the variant's size. */
  | { readonly kind: 'mask'; readonly classes: Mask };

/** A model ready to answer. Everything that decides a number is in `identity`, which goes into `run.json` and shard names. */
export interface Model {
  readonly name: string;
  readonly kind: string;
  readonly identity: Record<string, unknown>;
  /** Names of the outputs, where known. */
  readonly labels: readonly string[] | undefined;
  readonly outputs: 'logits' | 'probabilities';
  /** The most variants one `answer` call takes. */
  readonly batch: number;
  /** `worker`: compute-bound, one copy per worker thread. `main`: waits on another program, one copy in all. */
  readonly runsIn: 'worker' | 'main';
  prepare(image: Raster): Prepared | Promise<Prepared>;
  answer(batch: readonly Prepared[], questions: readonly Question[]): Promise<Answer[]>;
  close(): Promise<void>;
}
