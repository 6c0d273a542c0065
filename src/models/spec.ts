import { existsSync, statSync } from 'node:fs';
import { UserError } from '../contracts/errors.ts';
import type { ModelSettings } from '../contracts/model-config.ts';
import { fetchStoredModel } from '../storage/models.ts';
import { isS3 } from '../storage/s3-url.ts';
import type { ModelKind, OpenOptions } from './define.ts';
import { fetchModel } from './hub/fetch-model.ts';
import { kindNamed, modelKinds } from './kinds/index.ts';

/** What a model is described from, and by which kind. */
export interface ModelPlace {
  readonly kind: ModelKind;
  /** A path, a program with its arguments, an address: what stands behind the kind's prefix. */
  readonly what: string;
  /** Of a model from the hub. */
  readonly hubId?: string;
}

const hubId = /^[\w.-]+\/[\w.-]+(@[\w./-]+)?(#.+)?$/;

/** What `--model` names: a file, a folder, a Hugging Face id, or `kind:rest`. */
export async function locate(settings: ModelSettings, options: OpenOptions): Promise<ModelPlace> {
  const { model } = settings;
  if (isS3(model)) return localPlace(await fetchStoredModel(model), settings);
  const [, prefix = '', rest = ''] = /^([a-z][\w-]*):(.*)$/s.exec(model) ?? [];
  if (prefix === 'hf') return fromHub(rest, settings, options);
  const kind = kindNamed(prefix);
  if (kind) {
    const fetched = kind.id === 'clip' && !existsSync(rest);
    return fetched ? fromHub(rest, settings, options) : { kind, what: rest };
  }
  if (existsSync(model)) return localPlace(model, settings);
  if (hubId.test(model) && !/\.(onnx|csv|parquet)$/i.test(model))
    return fromHub(model, settings, options).catch((error: unknown) => {
      throw error instanceof UserError
        ? new UserError(`There is no file or folder ${model} here, and as a Hugging Face id: ${error.message}`)
        : error;
    });
  if (prefix.length > 1) {
    const known = [...modelKinds().map(({ id }) => id), 'hf'].map((id) => `${id}:`).join(', ');
    throw new UserError(
      `Expected a file, a folder, a Hugging Face id, or one of ${known} for --model but received '${model}'`,
    );
  }
  throw new UserError(`There is no model at ${model}`);
}

function localPlace(path: string, settings: ModelSettings, id?: string): ModelPlace {
  for (const kind of modelKinds()) {
    const what = kind.find?.(path, settings);
    if (what !== undefined) return { kind, what, hubId: id };
  }
  throw new UserError(
    statSync(path).isDirectory()
      ? `${path} holds no model that can be run: expected model.onnx, or vision_model.onnx with text_model.onnx, there or in onnx/`
      : `${path} is no model that can be run`,
  );
}

async function fromHub(text: string, settings: ModelSettings, options: OpenOptions): Promise<ModelPlace> {
  if (!hubId.test(text))
    throw new UserError(`Expected a Hugging Face id (owner/name) for --model but received '${text}'`);
  const [path, file = settings.file] = text.split('#');
  const [id, revision = settings.revision] = path.split('@');
  const folder = await fetchModel({ id, revision, file, ...options });
  return localPlace(folder, { ...settings, file }, id);
}
