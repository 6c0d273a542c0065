import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { type MaskDoubt, maskDoubts } from '../dataset/check/mask-doubts.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { inspectImage } from '../image/decode.ts';
import { type DecodeDifference, decodeDifferences, type ImageFacts } from '../image/format.ts';
import { defineJob } from './jobs.ts';
import type { PhotographOptions } from './photograph.ts';

/** A sample and what of it is looked at beside the head of its picture. */
export interface Look {
  readonly sample: Sample;
  /** Another sample has the same picture, which is counted there. */
  readonly isCounted: boolean;
  readonly looksAtMask: boolean;
}

export interface DoubtfulMask {
  readonly sample: string;
  readonly doubts: string[];
  readonly severity: number;
}

export interface Looked {
  /** Of every picture that the two modes of decoding read differently: why. */
  readonly differences: readonly DecodeDifference[][];
  readonly doubtful: readonly DoubtfulMask[];
}

type LookOptions = Pick<PhotographOptions, 'border' | 'mode'>;

/** Looks through pictures' heads and masks; many of them in a thread of its own: the main thread has answers to pass on meanwhile. */
export const lookThroughJob = defineJob<LookOptions, { readonly looks: readonly Look[] }, Looked>({
  name: 'look-through',
  async open(options, host) {
    return {
      async run({ looks }) {
        const differences: DecodeDifference[][] = [];
        const doubtful: DoubtfulMask[] = [];
        for (const { sample, isCounted, looksAtMask } of looks) {
          if (host.isStopping()) break;
          // A picture that cannot be read is its sample's error, told where it is met.
          const facts = await inspectImage(sample.image).catch(() => undefined);
          if (!facts) continue;
          const differs = isCounted ? [] : decodeDifferences(facts);
          if (differs.length) differences.push(differs);
          const doubts = looksAtMask ? await doubtsOf(sample, facts, options) : [];
          const [worst] = doubts;
          if (worst)
            doubtful.push({
              sample: sample.id,
              doubts: doubts.map(({ message }) => message),
              severity: worst.severity,
            });
        }
        return { differences, doubtful };
      },
      async close() {},
    };
  },
});

function noSampleError(error: unknown): undefined {
  if (!(error instanceof SampleError)) throw error;
}

async function doubtsOf({ image, mask }: Sample, facts: ImageFacts, options: LookOptions): Promise<MaskDoubt[]> {
  if (!mask) return [];
  const { width, height, orientation } = facts;
  const turned = options.mode === 'corrected' && orientation >= 5;
  const size = turned ? { width: height, height: width } : { width, height };
  const loaded = await loadMask(mask, { ...size, path: image }, options).catch(noSampleError);
  return loaded ? maskDoubts(loaded.mask) : [];
}
