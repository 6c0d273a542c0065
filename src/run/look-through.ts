import type { RunRecord } from '../contracts/run-record.ts';
import type { Sample } from '../contracts/sample.ts';
import { type DoubtfulMask, lookThroughJob } from './look-through-job.ts';
import type { PhotographOptions } from './photograph.ts';
import { createPool } from './pool.ts';

/** Masks looked at, spread over the data: a run does not wait for more. `dataset check` looks at all. */
const mostMasks = 1000;
const mostNamed = 12;
const atOnce = 25;
/**
 * So few take less time than a thread takes to start and to warm its code. Beside one or two threads that answer the main
 * thread has little to do, and one more would only take their time.
 */
const fewLooks = (answering: number): number => (answering <= 2 ? 512 : 128);
/** Threads that answer, for one that looks: a program on a GPU is done with a thousand photographs in seconds. */
const answeringPerLooking = 4;

/** What a run says of its data: how far it can be trusted, not what is computed. */
export type DataFindings = Pick<RunRecord, 'decodeDifferences' | 'doubtfulMasks'>;

export interface LookThroughOptions {
  readonly photographs: Pick<PhotographOptions, 'border' | 'mode'>;
  /** Some scenario needs the masks. */
  readonly masks: boolean;
  /** Threads that answer meanwhile. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
}

/**
 * How many pictures come out differently in the two modes of decoding, told from their heads; and masks that are tiny, in
 * many pieces or mostly uncertain, the worst first: they decide what a verdict is worth. Nothing where it was interrupted.
 */
export async function lookThrough(
  samples: readonly Sample[],
  { photographs: { border, mode }, masks, threads: answering = 1, signal }: LookThroughOptions,
): Promise<DataFindings> {
  const spread = masks ? spreadOver(samples.filter(({ mask, scenario }) => mask && !scenario)) : [];
  const looksAt = new Set(spread);
  const counted = new Set<string>();
  const looks = samples.flatMap((sample) => {
    const isCounted = counted.has(sample.image);
    counted.add(sample.image);
    const looksAtMask = looksAt.has(sample);
    return isCounted && !looksAtMask ? [] : [{ sample, isCounted, looksAtMask }];
  });
  const reasons: Record<string, number> = {};
  let images = 0;
  const doubtful: DoubtfulMask[] = [];
  const worthwhile = Math.ceil(Math.min(answering / answeringPerLooking, looks.length / (4 * atOnce)));
  const threads = looks.length > fewLooks(answering) ? Math.max(1, worthwhile) : 0;
  const pool = await createPool(lookThroughJob, { border, mode }, { threads });
  try {
    await pool.forEach(
      Array.from({ length: Math.ceil(looks.length / atOnce) }, (_, i) => ({
        looks: looks.slice(i * atOnce, (i + 1) * atOnce),
      })),
      (found) => {
        images += found.differences.length;
        for (const reason of found.differences.flat()) reasons[reason] = (reasons[reason] ?? 0) + 1;
        doubtful.push(...found.doubtful);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  if (signal?.aborted) return {};
  doubtful.sort((a, b) => b.severity - a.severity || (a.sample < b.sample ? -1 : 1));
  const worst = doubtful.slice(0, mostNamed).map(({ sample, doubts }) => ({ sample, doubts }));
  return {
    decodeDifferences: { images, reasons },
    ...(spread.length && { doubtfulMasks: { looked: spread.length, masks: doubtful.length, worst } }),
  };
}

function spreadOver(masked: readonly Sample[]): Sample[] {
  const step = Math.max(1, masked.length / mostMasks);
  return Array.from({ length: Math.min(masked.length, mostMasks) }, (_, i) => masked[Math.floor(i * step)]);
}
