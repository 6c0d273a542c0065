import type { RunRecord } from '../contracts/run-record.ts';
import type { Sample } from '../contracts/sample.ts';
import { type DoubtfulMask, doubtfulMasksJob } from './doubtful-masks-job.ts';
import type { PhotographOptions } from './photograph.ts';
import { createPool } from './pool.ts';

/** Masks looked at, spread over the data: a run does not wait for more. `dataset check` looks at all. */
const mostMasks = 1000;
const mostNamed = 12;
const atOnce = 50;

/** Masks that are tiny, in many pieces or mostly uncertain, the worst first: they decide what a verdict is worth. */
export async function findDoubtfulMasks(
  samples: readonly Sample[],
  { border, mode }: Pick<PhotographOptions, 'border' | 'mode'>,
  signal?: AbortSignal,
): Promise<RunRecord['doubtfulMasks']> {
  const masked = samples.filter(({ mask, scenario }) => mask && !scenario);
  if (!masked.length) return undefined;
  const step = Math.max(1, masked.length / mostMasks);
  const looked = Array.from({ length: Math.min(masked.length, mostMasks) }, (_, i) => masked[Math.floor(i * step)]);
  const found: DoubtfulMask[] = [];
  const pool = await createPool(doubtfulMasksJob, { border, mode }, { threads: 1 });
  try {
    await pool.forEach(
      Array.from({ length: Math.ceil(looked.length / atOnce) }, (_, i) => ({
        samples: looked.slice(i * atOnce, (i + 1) * atOnce),
      })),
      (some) => {
        found.push(...some);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  found.sort((a, b) => b.severity - a.severity || (a.sample < b.sample ? -1 : 1));
  return {
    looked: looked.length,
    masks: found.length,
    worst: found.slice(0, mostNamed).map(({ sample, doubts }) => ({ sample, doubts })),
  };
}
