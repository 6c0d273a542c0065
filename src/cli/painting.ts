import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { ModelDescription } from '../models/define.ts';
import { describeModel } from '../models/open.ts';
import { searchesSurrogate } from '../run/paint-ahead.ts';
import type { PaintingOptions } from '../run/painting-options.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { createProgress } from './ui/progress.ts';

interface OpenedModel {
  readonly spec: ModelConfig;
  readonly description: ModelDescription;
}

/**
 * What paints backgrounds, from the settings. The surrogate is the model named there, else the first that can be one;
 * commands that ask no models have none.
 */
export function paintingOf(config: Config, models: readonly OpenedModel[] = []): PaintingOptions {
  const { surrogate: wanted, ...diffusion } = config.diffusion ?? {};
  const able = models.filter(({ description }) => description.kind === 'classifier' || description.kind === 'clip');
  const surrogate = wanted ? models.find(({ description }) => description.name === wanted) : able[0];
  if (wanted && models.length && !surrogate)
    throw new UserError(
      `The surrogate '${wanted}' is none of the models (${models.map(({ description }) => description.name).join(', ')})`,
    );
  return { ...diffusion, surrogate, labelMap: config.labelMap };
}

/** The same for commands that edit and ask nobody: the models of the settings are looked at only to search against one. */
export async function paintingFor(config: Config, scenarios: readonly NamedScenario[]): Promise<PaintingOptions> {
  const models: OpenedModel[] = [];
  if (scenarios.some(searchesSurrogate))
    for (const spec of config.models) models.push({ spec, description: await describeModel(spec) });
  return paintingOf(config, models);
}

/** A bar of its own for the backgrounds that are painted first; nothing is shown where there are none. */
export function paintingProgress(): (done: number, total: number) => void {
  let progress: ReturnType<typeof createProgress> | undefined;
  return (done, total) => {
    progress ??= createProgress({ title: 'paint', unit: 'backgrounds', total });
    progress.update(done);
    if (done === total) progress.finish(`${total} backgrounds painted or found`);
  };
}
