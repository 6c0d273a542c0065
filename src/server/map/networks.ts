import type { ModelConfig } from '../../contracts/model-config.ts';
import type { RunRecord } from '../../contracts/run-record.ts';
import { recordedConfig } from '../../run/folder/index.ts';

export interface Network {
  readonly name: string;
  readonly spec: ModelConfig;
}

/** The network files of a run; other kinds of models have no features to reach. */
export function networksOf(record: RunRecord): Network[] {
  return (recordedConfig(record)?.models ?? []).flatMap((spec) => {
    const name = nameOf(spec);
    return name === undefined ? [] : [{ name, spec }];
  });
}

function nameOf(spec: ModelConfig): string | undefined {
  const { model, name } = typeof spec === 'string' ? { model: spec, name: undefined } : spec;
  if (!/\.onnx$/i.test(model) || /^(command|vlm|predictions):/.test(model)) return undefined;
  return name ?? model.replace(/^.*[/\\]|\.onnx$/gi, '');
}
