import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { LabelMap } from '../labels/targets.ts';
import type { ModelDescription } from '../models/define.ts';

interface DescribedModel {
  readonly spec: ModelConfig;
  readonly description: ModelDescription;
}

/** What paints backgrounds; all of it may be left out. */
export interface PaintingOptions {
  /** An ONNX Stable Diffusion instead of the embedded model. */
  readonly model?: string;
  readonly scheduler?: string;
  readonly steps?: number;
  readonly guidance?: number;
  /** Whose belief adversarial backgrounds are searched against. */
  readonly surrogate?: { readonly spec: ModelConfig; readonly description: ModelDescription };
  readonly labelMap?: LabelMap;
  /** Cores for one painting at a time: all of them where one thread paints ahead, one where a worker must paint itself. */
  readonly threads?: number;
  readonly cacheDir?: string;
  /** Found once in the main thread: saves every worker the reading of the model's files. */
  readonly identity?: PaintingIdentity;
}

/** Everything beside the order that decides a painting: part of its name in the cache and of the shards' names. */
export interface PaintingIdentity {
  readonly model: string;
  readonly hash: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly surrogate: { readonly name: string; readonly identity: unknown } | null;
}

/**
 * What paints backgrounds, from the settings. The surrogate is the model named there, else the first that can be one;
 * commands that ask no models have none.
 */
export function paintingOf(config: Config, models: readonly DescribedModel[] = []): PaintingOptions {
  const { surrogate: wanted, ...diffusion } = config.diffusion ?? {};
  const able = models.filter(({ description }) => description.kind === 'classifier' || description.kind === 'clip');
  const surrogate = wanted ? models.find(({ description }) => description.name === wanted) : able[0];
  if (wanted && models.length && !surrogate)
    throw new UserError(
      `The surrogate '${wanted}' is none of the models (${models.map(({ description }) => description.name).join(', ')})`,
    );
  return { ...diffusion, surrogate, labelMap: config.labelMap };
}
