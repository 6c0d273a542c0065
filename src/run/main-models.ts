import type { ModelConfig } from '../contracts/model-config.ts';
import type { Model, ModelDescription, OpenOptions } from '../models/define.ts';
import { openModel } from '../models/open.ts';
import { answerBatch } from './answer-batch.ts';
import type { Host } from './jobs.ts';

/** The models of a job that live in the main thread (`runsIn: 'main'`): programs, endpoints, files of predictions. */
export interface MainModels {
  readonly count: number;
  readonly host: Host;
  /** What was spent, by model, where answers cost something. */
  usage(): Record<string, Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export async function openMainModels(
  models: readonly { readonly spec: ModelConfig; readonly description: ModelDescription }[],
  { batch, offline }: Pick<OpenOptions, 'batch' | 'offline'>,
): Promise<MainModels> {
  const opened = new Map<number, Model>();
  for (const [i, { spec, description }] of models.entries()) {
    if (description.runsIn === 'main') opened.set(i, await openModel(spec, { batch, offline, described: description }));
  }
  return {
    count: opened.size,
    host: {
      answer: (index, batch, questions) => {
        const model = opened.get(index);
        if (!model) throw new Error(`model ${index} does not run in the main thread`);
        return answerBatch(model, batch, questions);
      },
    },
    usage: () =>
      Object.fromEntries([...opened.values()].flatMap((model) => (model.usage ? [[model.name, model.usage()]] : []))),
    close: async () => {
      await Promise.all([...opened.values()].map((model) => model.close()));
    },
  };
}
