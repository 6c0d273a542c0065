import type { ErrorLine } from '../../contracts/prediction.ts';
import { createErrorBudget } from '../error-budget.ts';
import { canonicalJson } from '../hash.ts';
import type { Plan } from '../plan.ts';
import type { MissingAnswers } from '../predict-job.ts';
import { adviceOn, answersOf, makeChunks } from './chunks.ts';

import { tries } from './lane-queues.ts';
import { answersOfModels, modelGroups } from './model-groups.ts';
import { type QueuePlace, runChunks } from './run-chunks.ts';

export interface AnswerByQueueOptions extends QueuePlace {
  /** Share of samples that may fail. */
  readonly maxErrors: number;
  readonly answersPerChunk?: number;
  /** How many models a worker holds at a time; all of the run's where left out. */
  readonly modelsAtOnce?: number;
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
  { maxErrors, answersPerChunk, modelsAtOnce, onProgress, ...place }: AnswerByQueueOptions,
): Promise<AnsweredByQueue> {
  const chunks = modelGroups(plan.models.length, modelsAtOnce).flatMap((models) =>
    makeChunks(place.assignment.id, answersOfModels(plan, missing, models), { answersPerChunk, models }),
  );
  const budget = createErrorBudget(plan.plannedSamples.length, maxErrors);
  // A photograph that cannot be read fails once for each group of models, and is told once.
  const told = new Set<string>();
  const notYetTold = (lines: readonly ErrorLine[]) =>
    lines.filter((line) => {
      const text = canonicalJson(line);
      return !told.has(text) && told.add(text);
    });
  const begun = new Set<string>();
  let isAdvised = false;
  let setAside = 0;
  await runChunks(chunks, place, {
    onDone(chunk, done) {
      // A worker's first one includes opening the run.
      const advice = done && begun.has(done.worker) ? adviceOn(chunk, done.seconds) : undefined;
      if (done) begun.add(done.worker);
      if (advice && !isAdvised) place.onTrouble?.(advice);
      isAdvised ||= advice !== undefined;
      budget.add(notYetTold((done?.errors ?? []) as unknown as ErrorLine[]));
      onProgress?.(answersOf(chunk));
    },
    onSetAside(chunk, reason) {
      setAside++;
      const message = `set aside after ${tries} tries: ${reason}`;
      const samples = (chunk.work ?? []).map(({ sampleIndex }) => plan.plannedSamples[sampleIndex].sample.id);
      budget.add(notYetTold(samples.map((sample) => ({ sample, problem: 'other', message }))));
      onProgress?.(answersOf(chunk));
    },
  });
  const order = new Map(plan.plannedSamples.map(({ sample }, i) => [sample.id, i]));
  return { errors: budget.lines.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0)), setAside };
}
