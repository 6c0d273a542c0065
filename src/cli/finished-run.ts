import { resolve } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { readRunRecord } from '../run/folder/index.ts';
import { parseConfig } from './config.ts';

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
  const { config, data, scenarios, models } = await readRunRecord(run);
  return {
    folder: run,
    config: parseConfig(config, `${folder}/run.json`),
    dataHash: data?.hash,
    scenarios,
    models: models.map(({ name }) => name),
  };
}
