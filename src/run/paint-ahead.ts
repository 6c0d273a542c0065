import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { needsOf } from '../scenarios/registry.ts';
import { applyScenario, createSceneSource } from '../scenarios/scene.ts';
import { loadPhotograph } from './photograph.ts';
import { createScenePool, type ScenePoolOptions } from './scene-pool.ts';

export interface PaintAheadOptions extends ScenePoolOptions {
  /** Which samples under which scenarios. */
  readonly work: readonly { readonly sample: Sample; readonly scenarios: readonly NamedScenario[] }[];
  /** Cores that paint one picture together. */
  readonly threads: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Whether a scenario has something painted: with a folder of generated backgrounds that one needs no painter. */
export const isPainted = ({ scenario, params }: NamedScenario, generated: string | undefined): boolean =>
  needsOf(scenario, params).includes('generator') && !(scenario.id === 'generated-background' && generated);

export const paints = (scenarios: readonly NamedScenario[], generated: string | undefined): boolean =>
  scenarios.some((named) => isPainted(named, generated));

/** Whether it asks a surrogate which of several backgrounds is worst. */
export const searchesSurrogate = ({ scenario, params }: NamedScenario): boolean =>
  scenario.id === 'complexity-diffusion' && typeof params.lambda === 'string';

/**
 * Paints into the cache what the workers will ask for: one engine in this thread on all cores, instead of one in every
 * worker. What is there already costs a look; after a kill the same call goes on.
 */
export async function paintAhead(options: PaintAheadOptions): Promise<void> {
  const { work, threads, signal, onProgress, seed, photographs, generated } = options;
  const todo = work
    .map(({ sample, scenarios }) => ({ sample, scenarios: scenarios.filter((named) => isPainted(named, generated)) }))
    .filter(({ sample, scenarios }) => scenarios.length && !sample.scenario && sample.mask);
  const total = todo.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  if (!total) return;
  const pool = createScenePool({ ...options, painting: { ...options.painting, threads } });
  let done = 0;
  for (const { sample, scenarios } of todo) {
    if (signal?.aborted) return;
    await ignoringSample(async () => {
      const source = createSceneSource({ sample, ...(await loadPhotograph(sample, photographs)), seed, pool });
      for (const { scenario, params, name } of scenarios) {
        if (signal?.aborted) return;
        await ignoringSample(() => applyScenario(scenario, source.scene(name), params));
        onProgress?.(++done, total);
      }
    });
  }
}

/** A sample that cannot be used is skipped here; the error is recorded when the worker itself comes to it. */
async function ignoringSample(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SampleError)) throw error;
  }
}
