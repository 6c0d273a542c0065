import { SampleError } from '../contracts/errors.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Sample } from '../contracts/sample.ts';
import { maskDoubts } from '../dataset/check/mask-doubts.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { inspectImage } from '../image/decode.ts';
import type { PhotographOptions } from './photograph.ts';

/** Masks looked at, spread over the data: a run does not wait for more. `dataset check` looks at all. */
const mostMasks = 1000;
const mostNamed = 12;

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
  const found: { sample: string; doubts: string[]; severity: number }[] = [];
  const queue = looked.values();
  const drain = async () => {
    for (const sample of queue) {
      if (signal?.aborted) return;
      const doubts = await doubtsOf(sample, { border, mode });
      if (doubts.length)
        found.push({
          sample: sample.id,
          doubts: doubts.map(({ message }) => message),
          severity: doubts[0].severity,
        });
    }
  };
  // One after the other: whoever waits for this thread waits for one mask at most.
  await drain();
  found.sort((a, b) => b.severity - a.severity || (a.sample < b.sample ? -1 : 1));
  return {
    looked: looked.length,
    masks: found.length,
    worst: found.slice(0, mostNamed).map(({ sample, doubts }) => ({ sample, doubts })),
  };
}

async function doubtsOf({ image, mask }: Sample, options: Pick<PhotographOptions, 'border' | 'mode'>) {
  if (!mask) return [];
  try {
    const { width, height, orientation } = await inspectImage(image);
    const turned = options.mode === 'corrected' && orientation >= 5;
    const size = turned ? { width: height, height: width } : { width, height };
    return maskDoubts((await loadMask(mask, { ...size, path: image }, options)).mask);
  } catch (error) {
    // A mask that cannot be read is its sample's error, told where it is met.
    if (error instanceof SampleError) return [];
    throw error;
  }
}
