import type { ErrorLine } from '../../contracts/prediction.ts';
import { createErrorBudget } from '../error-budget.ts';
import type { Plan } from '../plan.ts';
import type { MissingAnswers } from '../predict-job.ts';
import { answersOf, makeChunks } from './chunks.ts';
import { type QueuePlace, runChunks, tries } from './run-chunks.ts';

export interface AnswerByQueueOptions extends QueuePlace {
  /** Share of samples that may fail. */
  readonly maxErrors: number;
  readonly answersPerChunk?: number;
  readonly onProgress?: (answers: number) => void;
}

export interface AnsweredByQueue {
  readonly errors: ErrorLine[];
  /** Chunks that failed on every try: their samples are errors. */
  readonly setAside: number;
}

/** Hands the missing answers to workers and waits until they are on disk. */
export async function answerByQueue(
  plan: Plan,
  missing: readonly MissingAnswers[],
  { maxErrors, answersPerChunk, onProgress, ...place }: AnswerByQueueOptions,
): Promise<AnsweredByQueue> {
  const chunks = makeChunks(place.assignment.id, plan.wanted, missing, answersPerChunk);
  const budget = createErrorBudget(plan.plannedSamples.length, maxErrors);
  let setAside = 0;
  await runChunks(chunks, place, {
    onDone(chunk, done) {
      budget.add((done?.errors ?? []) as unknown as ErrorLine[]);
      onProgress?.(answersOf(chunk));
    },
    onSetAside(chunk, reason) {
      setAside++;
      budget.add(
        (chunk.work ?? []).map(({ sampleIndex }) => ({
          sample: plan.plannedSamples[sampleIndex].sample.id,
          problem: 'other',
          message: `set aside after ${tries} tries: ${reason}`,
        })),
      );
      onProgress?.(answersOf(chunk));
    },
  });
  const order = new Map(plan.plannedSamples.map(({ sample }, i) => [sample.id, i]));
  return { errors: budget.lines.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0)), setAside };
}
