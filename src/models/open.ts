import { UserError } from '../contracts/errors.ts';
import { type ModelConfig, type ModelSettings, modelSettingsSchema } from '../contracts/model-config.ts';
import { takeInHand } from '../formats/in-hand.ts';
import type { Model, ModelDescription, OpenOptions } from './define.ts';
import { kindOf } from './kinds/index.ts';
import { describeIssue, reporting } from './record/beside.ts';
import { locate } from './spec.ts';

/** What `--model` takes, or an entry of `models` in the config. */
export type ModelSpec = ModelConfig;

/**
 * Reads and tries a model once, in the main thread: what it is, what decides its numbers, and every problem that can be
 * found before any work. What comes back is cloneable: give it to `openModel` in a worker as `described`.
 */
export async function describeModel(spec: ModelSpec, options: OpenOptions = {}): Promise<ModelDescription> {
  const settings = settingsOf(spec);
  const { kind, what, hubId } = await locate(settings, options);
  const release = takeInHand('model', () => [settings.model]);
  try {
    // A model of the hub is called by its id, not by its file.
    return await kind.describe(what, hubId && !settings.name ? { ...settings, name: hubId } : settings, options);
  } catch (error) {
    throw inOneLine(error);
  } finally {
    release();
  }
}

/** The names of a file's inputs and outputs may hold line breaks; what we say of them does not. */
function inOneLine(error: unknown): unknown {
  if (!(error instanceof UserError) || !/[\r\n]/.test(error.message)) return error;
  return new UserError(error.message.replaceAll(/\s*[\r\n]\s*/g, ' '), { exitCode: error.exitCode });
}

/** Opens a model, in any thread. */
export async function openModel(spec: ModelSpec, options: OpenOptions = {}): Promise<Model> {
  const described = options.described ?? (await describeModel(spec, options));
  return kindOf(described).open(described, options);
}

function settingsOf(spec: ModelSpec): ModelSettings {
  if (typeof spec === 'string') return { model: spec };
  const result = modelSettingsSchema.safeParse(spec, reporting);
  if (result.success) return result.data;
  throw new UserError(`models: ${describeIssue(result.error.issues[0], Object.keys(modelSettingsSchema.shape))}`);
}
