import { parseScenario } from '../scenarios/name.ts';
import { needsOf } from '../scenarios/registry.ts';
import { hashJson } from './hash.ts';
import { codeOfScenario } from './plugins/identity.ts';
import type { RenderInit } from './render-job.ts';
import { keyOf, planPaths } from './render-layouts.ts';
import { hashPools, hashSample, hashSources, poolsFor } from './sample-hashes.ts';

/** A variant as it is to lie on disk. */
export interface PlannedVariant {
  /** Place among the samples. */
  readonly sample: number;
  readonly scenario: string;
  readonly image: string;
  /** Hash of all that decides its pixels and those of its mask: bytes of picture, mask and backgrounds, and settings. */
  readonly hash: string;
}

/** Every variant of every sample, scenario by scenario within a sample. */
export async function planVariants(init: RenderInit): Promise<PlannedVariant[]> {
  const { samples, seed, format, quality, layout, photographs } = init;
  const scenarios = init.scenarios.map((name) => parseScenario(name));
  const files = await hashSources(samples);
  const ofSample = samples.map((sample) => hashSample(sample, files));
  const pools = await hashPools({ ...init, scenarios }, hashJson([...ofSample].sort()));
  const paths = planPaths(init.named, layout, format);
  const place = new Map(init.named.map((sample, i) => [keyOf(sample), i]));
  return samples.flatMap((sample, index) =>
    scenarios.map(({ scenario, params, name }) => ({
      sample: index,
      scenario: name,
      image: paths(place.get(keyOf(sample)) as number, name, scenario.alpha === true).image,
      hash: hashJson({
        source: ofSample[index],
        scenario: name,
        ...{ seed, format, quality, layout, photographs },
        pool: poolsFor(needsOf(scenario, params), pools),
        ...codeOfScenario(name),
      }),
    })),
  );
}
