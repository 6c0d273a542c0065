import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { maskDoubts } from '../dataset/check/mask-doubts.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { inspectImage } from '../image/decode.ts';
import { defineJob } from './jobs.ts';
import type { PhotographOptions } from './photograph.ts';

export interface DoubtfulMask {
  readonly sample: string;
  readonly doubts: string[];
  readonly severity: number;
}

/** Looks through masks in a thread of its own: the main thread has answers to pass on meanwhile. */
export const doubtfulMasksJob = defineJob<
  Pick<PhotographOptions, 'border' | 'mode'>,
  { readonly samples: readonly Sample[] },
  DoubtfulMask[]
>({
  name: 'doubtful-masks',
  async open(options, host) {
    return {
      async run({ samples }) {
        const found: DoubtfulMask[] = [];
        for (const sample of samples) {
          if (host.isStopping()) break;
          const doubts = await doubtsOf(sample, options);
          const [worst] = doubts;
          if (!worst) continue;
          found.push({ sample: sample.id, doubts: doubts.map(({ message }) => message), severity: worst.severity });
        }
        return found;
      },
      async close() {},
    };
  },
});

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
