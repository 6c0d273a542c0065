import { UserError } from '../contracts/errors.ts';
import { type ModelConfig, modelSettingsSchema } from '../contracts/model-config.ts';
import type { Model, ModelDescription, OpenOptions } from './define.ts';
import type { OnnxDescription } from './onnx/describe.ts';
import { describeIssue } from './record/beside.ts';
import { locate } from './spec.ts';

/** What `--model` takes, or an entry of `models` in the config. */
export type ModelSpec = ModelConfig;

export type DescribeOptions = Omit<OpenOptions, 'described'>;

/**
 * Reads and tries a model once, in the main thread: what it is, what decides its numbers, and every problem that can be
 * found before any work. What comes back is cloneable: give it to `openModel` in a worker as `described`.
 */
export async function describeModel(spec: ModelConfig, options: DescribeOptions = {}): Promise<ModelDescription> {
  const settings = settingsOf(spec);
  const place = await locate(settings, options);
  switch (place.kind) {
    case 'onnx': {
      const { describeOnnx } = await import('./onnx/describe.ts');
      return describeOnnx(place.path, { settings, batch: options.batch, threads: options.threads });
    }
  }
}

/** Opens a model, in any thread. */
export async function openModel(spec: ModelConfig, options: OpenOptions = {}): Promise<Model> {
  const described = options.described ?? (await describeModel(spec, options));
  switch (described.kind) {
    case 'classifier': {
      const { openClassifier } = await import('./classifier.ts');
      return openClassifier(described as OnnxDescription, options);
    }
    case 'segmenter': {
      const { openSegmenter } = await import('./segmenter.ts');
      return openSegmenter(described as OnnxDescription, options);
    }
    default:
      throw new UserError(`a model of kind ${described.kind} cannot be opened`);
  }
}

function settingsOf(spec: ModelConfig) {
  if (typeof spec === 'string') return { model: spec };
  const result = modelSettingsSchema.safeParse(spec);
  if (result.success) return result.data;
  throw new UserError(`models: ${describeIssue(result.error.issues[0])}`);
}
