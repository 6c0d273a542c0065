import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import { readDataset } from '../dataset/index.ts';
import { assignFolds, selectSamples } from '../dataset/splits.ts';
import { describeModel } from '../models/open.ts';
import type { PlanInput } from '../run/plan.ts';
import { listBackgrounds } from '../run/scene-pool.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { parseConfig } from './config.ts';
import { photographOptions } from './options.ts';
import { paintingOf } from './painting.ts';
import { version } from './version.ts';

export interface FinishedRun {
  readonly folder: string;
  readonly config: Config;
  /** Of the images, masks and labels, as the run saw them. */
  readonly dataHash: string | undefined;
  readonly scenarios: readonly string[];
  readonly models: readonly string[];
}

/** What `run.json` says of a run that is to be asked again. */
export async function readFinishedRun(folder: string): Promise<FinishedRun> {
  const run = resolve(folder);
  const text = await readFile(join(run, 'run.json'), 'utf8').catch(() => {
    throw new UserError(`No run.json in ${folder}; expected a run folder, as sceneshift run writes it`);
  });
  const record = JSON.parse(text) as {
    config?: unknown;
    data?: { hash?: string };
    scenarios?: string[];
    models?: { name: string }[];
  };
  return {
    folder: run,
    config: parseConfig(record.config, `${folder}/run.json`),
    dataHash: record.data?.hash,
    scenarios: record.scenarios ?? [],
    models: (record.models ?? []).map(({ name }) => name),
  };
}

interface InputOptions {
  readonly offline?: boolean;
  /** Scenarios instead of the config's. */
  readonly scenarios?: readonly string[];
  /** Keeps only these models, by name. */
  readonly models?: readonly string[];
}

/** The samples, models and scenarios of a config, read and checked: what a plan is made of. */
export async function planInputOf(config: Config, { offline, scenarios, models }: InputOptions): Promise<PlanInput> {
  const { data = '', layout, masks, objects, labelFrom, seed, labelMap, batch } = config;
  const dataset = await readDataset(data, { layout, masks, objects, labelFrom });
  const samples = selectSamples(dataset.samples, config);
  const folds = config.folds ? assignFolds(samples, { folds: config.folds, seed }) : undefined;
  const given = dataset.samples.some((sample) => sample.scenario);
  const opened = [];
  for (const spec of config.models) {
    const description = await describeModel(spec, { batch, offline, classes: dataset.classes });
    if (!models?.length || models.includes(description.name)) opened.push({ spec, description });
  }
  const named = scenarios?.length ? scenarios : config.scenarios;
  return {
    dataset,
    samples,
    foldOf: (sample) => folds?.get(sample.id) ?? -1,
    models: opened,
    labelMap,
    scenarios: parseScenarioList(named ?? (given ? 'original' : 'quick')),
    scenariosNamed: named !== undefined,
    backgrounds: config.backgrounds ? await listBackgrounds(config.backgrounds) : undefined,
    generated: config.generated,
    painting: paintingOf(config, opened),
    seed,
    photographs: photographOptions(config),
    version: version(),
  };
}
