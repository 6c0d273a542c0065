import type { ModelConfig } from '../contracts/model-config.ts';
import type { Model, ModelDescription } from '../models/define.ts';
import { openModel } from '../models/open.ts';

/** Models and how they are opened in a thread. */
export interface ModelsToOpen {
  readonly models: readonly { readonly spec: ModelConfig; readonly description: ModelDescription }[];
  readonly threadsPerModel: number;
  readonly batch?: number;
  readonly offline?: boolean;
}

export interface OpenedEarly {
  /** All that decides how they were opened. */
  readonly wanted: string;
  readonly models: readonly Model[];
}

export const openModelsEarly = async (wanted: ModelsToOpen): Promise<OpenedEarly> => ({
  wanted: describe(wanted),
  models: await open(wanted),
});

/** Takes what was opened early, where it is what is wanted now. */
export async function openModels(wanted: ModelsToOpen, early?: OpenedEarly): Promise<readonly Model[]> {
  if (early?.wanted === describe(wanted)) return early.models;
  for (const model of early?.models ?? []) await model.close();
  return open(wanted);
}

const open = ({ models, threadsPerModel: threads, batch, offline }: ModelsToOpen): Promise<Model[]> =>
  Promise.all(
    models.map(({ spec, description }) => openModel(spec, { threads, batch, offline, described: description })),
  );

const describe = ({ models, threadsPerModel, batch, offline }: ModelsToOpen): string =>
  JSON.stringify([models.map(({ spec, description }) => [spec, description]), threadsPerModel, batch, offline]);
