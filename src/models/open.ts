import { UserError } from '../contracts/errors.ts';
import { type ModelConfig, type ModelSettings, modelSettingsSchema } from '../contracts/model-config.ts';
import type { ClipDescription } from './clip/describe.ts';
import type { CommandDescription } from './command/describe.ts';
import type { Model, ModelDescription, OpenOptions } from './define.ts';
import type { OnnxDescription } from './onnx/describe.ts';
import type { PredictionsDescription } from './predictions.ts';
import { describeIssue, reporting } from './record/beside.ts';
import { locate } from './spec.ts';
import type { VlmDescription } from './vlm/describe.ts';

/** What `--model` takes, or an entry of `models` in the config. */
export type ModelSpec = ModelConfig;

/**
 * Reads and tries a model once, in the main thread: what it is, what decides its numbers, and every problem that can be
 * found before any work. What comes back is cloneable: give it to `openModel` in a worker as `described`.
 */
export async function describeModel(spec: ModelSpec, options: OpenOptions = {}): Promise<ModelDescription> {
  const settings = settingsOf(spec);
  const place = await locate(settings, options);
  const { batch, threads, classes } = options;
  switch (place.kind) {
    case 'onnx': {
      const { describeOnnx } = await import('./onnx/describe.ts');
      return describeOnnx(place.path, { settings: named(settings, place.id), batch, threads });
    }
    case 'clip': {
      const { describeClip } = await import('./clip/describe.ts');
      return describeClip(place.folder, { settings: named(settings, place.id), classes, batch, threads });
    }
    case 'command': {
      const { describeCommand } = await import('./command/describe.ts');
      return describeCommand(place.line, settings);
    }
    case 'vlm': {
      const { describeVlm } = await import('./vlm/describe.ts');
      return describeVlm(place, settings, options);
    }
    case 'predictions': {
      const { describePredictions } = await import('./predictions.ts');
      return describePredictions(place.path, settings);
    }
  }
}

/** Opens a model, in any thread. */
export async function openModel(spec: ModelSpec, options: OpenOptions = {}): Promise<Model> {
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
    case 'clip': {
      const { openClip } = await import('./clip/open.ts');
      return openClip(described as ClipDescription, options);
    }
    case 'command': {
      const { openCommand } = await import('./command/open.ts');
      return openCommand(described as CommandDescription);
    }
    case 'vlm': {
      const { openVlm } = await import('./vlm/open.ts');
      return openVlm(described as VlmDescription, options);
    }
    case 'predictions': {
      const { openPredictions } = await import('./predictions.ts');
      return openPredictions(described as PredictionsDescription);
    }
  }
}

/** A model of the hub is called by its id, not by its file. */
const named = (settings: ModelSettings, id: string | undefined): ModelSettings =>
  id && !settings.name ? { ...settings, name: id } : settings;

function settingsOf(spec: ModelSpec): ModelSettings {
  if (typeof spec === 'string') return { model: spec };
  const result = modelSettingsSchema.safeParse(spec, reporting);
  if (result.success) return result.data;
  throw new UserError(`models: ${describeIssue(result.error.issues[0], Object.keys(modelSettingsSchema.shape))}`);
}
