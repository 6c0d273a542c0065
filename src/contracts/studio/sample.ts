import { z } from 'zod';

/** One model's stored answer to one variant. */
export interface SampleAnswer {
  readonly model: string;
  readonly answer: string;
  readonly probability: number;
  readonly correct: boolean;
  /** Right on the original and wrong here, or the other way. */
  readonly flip: 'lost' | 'gained' | null;
}

export interface SampleScenario {
  readonly scenario: string;
  readonly answers: readonly SampleAnswer[];
}

/** `GET runs/:run/sample?id`. */
export interface SamplePage {
  readonly sample: string;
  readonly label: string;
  /** The object's share of the picture; null where there is no mask, or it is not known yet. */
  readonly size: number | null;
  readonly scenarios: readonly SampleScenario[];
  readonly models: readonly string[];
  /** Maps that `explain` left in the run. */
  readonly saliency: readonly { readonly model: string; readonly scenario: string }[];
  /** Neighbours in the dataset's order. */
  readonly before: string | null;
  readonly after: string | null;
}

export const askedVariantSchema = z.object({ sample: z.string(), scenario: z.string(), model: z.string() });

/** `POST runs/:run/answers`: the five best of one model, computed now. */
export interface BestAnswers {
  readonly model: string;
  readonly best: readonly { readonly answer: string; readonly probability: number; readonly isTruth: boolean }[];
}
