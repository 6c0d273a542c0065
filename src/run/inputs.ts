import { availableParallelism } from 'node:os';
import type { Config } from '../contracts/config.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { assignFolds, selectSamples } from '../dataset/splits.ts';
import type { OpenOptions } from '../models/define.ts';
import { describeModel } from '../models/open.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { localPlace } from '../storage/local-place.ts';
import { localModel } from '../storage/models.ts';
import { openConfiguredDataset } from './configured-dataset.ts';
import { listBackgrounds } from './list-pictures.ts';
import { searchesSurrogate } from './paint-ahead.ts';
import { type PaintingOptions, paintingOf } from './painting-options.ts';
import type { PhotographOptions } from './photograph.ts';
import type { PlanInput } from './plan.ts';

/** All that the settings name, opened and checked: what every job on a dataset begins with. */
export interface Inputs extends PlanInput {
  readonly config: Config;
  readonly threads: number;
  readonly batch?: number;
  readonly offline: boolean;
  /** Share of samples that may fail. */
  readonly maxErrors: number;
}

export interface InputOptions {
  /** The Sceneshift that is running; part of what decides a number. */
  readonly version: string;
  /** Take models from the cache only. */
  readonly offline?: boolean;
  /** `none`: the job needs no model. A list: only these, by name. */
  readonly models?: 'all' | 'none' | readonly string[];
  /** Scenarios instead of the config's. */
  readonly scenarios?: readonly string[];
  /** Scenarios beside the config's. */
  readonly moreScenarios?: readonly string[];
  /** What the command calls the dataset's layout, for messages. */
  readonly layoutOption?: string;
  /** Called before the models are read and tried, which takes longest. */
  readonly onDataset?: () => void;
  readonly onSession?: OpenOptions['onSession'];
}

export async function openInputs(config: Config, options: InputOptions): Promise<Inputs> {
  const { seed, labelMap, batch, maxErrors } = config;
  const { version, offline = false, models: wanted = 'all', moreScenarios = [], layoutOption } = options;
  const threads = threadsFrom(config.threads);
  const dataset = await openConfiguredDataset(config, { layoutOption });
  const [first, ...more] = dataset.problems;
  if (!dataset.samples.length && first)
    throw new UserError(
      `No entry of ${dataset.path} can be used: ${first.message}${more.length ? ` (and ${more.length} more)` : ''}`,
    );
  const samples = selectSamples(dataset.samples, config);
  const folds = config.folds ? assignFolds(samples, { folds: config.folds, seed }) : undefined;
  const named = options.scenarios?.length ? options.scenarios : config.scenarios;
  const showsScenarios = dataset.samples.some((sample) => sample.scenario);
  const scenarios = parseScenarioList([...(named ?? [showsScenarios ? 'original' : 'quick']), ...moreScenarios]);
  // Backgrounds painted against a model need it, though the job itself asks none.
  const asks = wanted !== 'none' || scenarios.some(searchesSurrogate);
  options.onDataset?.();
  const described = [];
  const { onSession } = options;
  const opening = { batch, offline, classes: dataset.classes, onSession };
  for (const spec of asks ? config.models : [])
    described.push({ spec, description: await describeModel(spec, opening) });
  const isWanted = (name: string) => wanted === 'all' || !wanted.length || wanted.includes(name);
  const models = wanted === 'none' ? [] : described.filter(({ description }) => isWanted(description.name));
  return {
    config,
    dataset,
    samples,
    foldOf: (sample) => folds?.get(sample.id) ?? -1,
    models,
    labelMap,
    scenarios,
    scenariosNamed: named !== undefined,
    backgrounds: config.backgrounds
      ? await listBackgrounds(await localPlace(config.backgrounds, '--backgrounds'))
      : undefined,
    generated: config.generated && (await localPlace(config.generated, '--generated')),
    painting: await fetched(paintingOf(config, described)),
    seed,
    photographs: photographOptions(config),
    version,
    threads,
    batch,
    offline,
    maxErrors,
  };
}

/** What paints, on this disk. */
const fetched = async (painting: PaintingOptions): Promise<PaintingOptions> =>
  painting.model ? { ...painting, model: await localModel(painting.model) } : painting;

/** More threads bring nothing, and each takes memory. */
const mostThreads = 256;

export function threadsFrom(given: number | undefined): number {
  if (given === undefined) return availableParallelism();
  if (!Number.isInteger(given) || given < 1 || given > mostThreads)
    throw expected(
      `a whole number from 1 to ${mostThreads}`,
      '--threads',
      given,
      `here are ${availableParallelism()} cores`,
    );
  return given;
}

/** How a photograph and its mask are read. */
export function photographOptions(
  settings: Pick<Config, 'border' | 'edges' | 'decode' | 'maxPixels' | 'growMask' | 'editDefects'>,
): PhotographOptions {
  const { decode: mode, maxPixels, border, edges, growMask, editDefects } = settings;
  return {
    mode,
    flatten: [255, 255, 255],
    maxPixels,
    border,
    edges,
    ...(growMask && { growMaskPx: growMask }),
    ...(editDefects && { editProtected: true }),
  };
}
