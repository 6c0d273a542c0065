import type { Sample } from '../contracts/sample.ts';
import type { VariantMaker } from './variants.ts';

/** Samples that are asked for in this order: the next one is read and decoded while the models are busy with one. */
export function readAhead(maker: VariantMaker, samples: readonly Sample[]): VariantMaker {
  const rest = samples.values();
  const begin = () => {
    const { value: sample } = rest.next();
    if (!sample) return undefined;
    const loaded = maker.load(sample);
    // Told when it is asked for, not before.
    loaded.catch(() => undefined);
    return { sample, loaded };
  };
  let next = begin();
  return {
    async load(sample) {
      const loaded = next?.sample === sample ? next.loaded : maker.load(sample);
      next = begin();
      return loaded;
    },
  };
}
