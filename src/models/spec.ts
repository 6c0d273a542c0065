import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ModelSettings } from '../contracts/model-config.ts';
import { clipPair } from './clip/describe.ts';
import type { OpenOptions } from './define.ts';
import { fetchModel } from './hub/fetch-model.ts';

/** Where a model is and what will open it. */
export type Place =
  | { readonly kind: 'onnx'; readonly path: string; readonly id?: string }
  | { readonly kind: 'clip'; readonly folder: string; readonly id?: string }
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'vlm'; readonly url: string; readonly model: string }
  | { readonly kind: 'predictions'; readonly path: string };

const kinds = ['onnx', 'clip', 'hf', 'command', 'vlm', 'predictions'] as const;
const hubId = /^[\w.-]+\/[\w.-]+(@[\w./-]+)?(#.+)?$/;

/** What `--model` names: a file, a folder, a Hugging Face id, or `kind:rest`. */
export async function locate(settings: ModelSettings, options: OpenOptions): Promise<Place> {
  const { model } = settings;
  const [, prefix, rest] = /^([a-z]+):(.*)$/s.exec(model) ?? [];
  switch (prefix) {
    case 'command':
      return { kind: 'command', line: rest };
    case 'vlm':
      return vlmPlace(rest);
    case 'predictions':
      return { kind: 'predictions', path: mustExist(rest) };
    case 'hf':
      return fromHub(rest, settings, options);
    case 'onnx':
      return { kind: 'onnx', path: mustExist(rest) };
    case 'clip':
      return existsSync(rest) ? { kind: 'clip', folder: rest } : fromHub(rest, settings, options);
  }
  if (existsSync(model)) return localPlace(model, settings);
  if (hubId.test(model) && !/\.(onnx|csv|parquet)$/i.test(model))
    return fromHub(model, settings, options).catch((error: unknown) => {
      throw error instanceof UserError
        ? new UserError(`There is no file or folder ${model} here, and as a Hugging Face id: ${error.message}`)
        : error;
    });
  if (prefix && prefix.length > 1) {
    const known = kinds.map((kind) => `${kind}:`).join(', ');
    throw new UserError(
      `Expected a file, a folder, a Hugging Face id, or one of ${known} for --model but received '${model}'`,
    );
  }
  throw new UserError(`There is no model at ${model}`);
}

function mustExist(path: string): string {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}`);
  return path;
}

function localPlace(path: string, settings: ModelSettings): Place {
  if (statSync(path).isDirectory()) return folderPlace(path, settings);
  if (/\.(csv|parquet)$/i.test(path)) return { kind: 'predictions', path };
  return { kind: 'onnx', path };
}

/** A folder of exported models, as the hub has them. */
function folderPlace(folder: string, { file }: ModelSettings, id?: string): Place {
  if (file) {
    const path = join(folder, file);
    if (!existsSync(path)) throw new UserError(`${folder} has no file ${file}`);
    return { kind: 'onnx', path, id };
  }
  if (clipPair(folder)) return { kind: 'clip', folder, id };
  for (const name of ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'])
    if (existsSync(join(folder, name))) return { kind: 'onnx', path: join(folder, name), id };
  throw new UserError(
    `${folder} holds no model that can be run: expected model.onnx, or vision_model.onnx with text_model.onnx, there or in onnx/`,
  );
}

async function fromHub(text: string, settings: ModelSettings, options: OpenOptions): Promise<Place> {
  if (!hubId.test(text))
    throw new UserError(`Expected a Hugging Face id (owner/name) for --model but received '${text}'`);
  const [path, file = settings.file] = text.split('#');
  const [id, revision = settings.revision] = path.split('@');
  const folder = await fetchModel({ id, revision, file, ...options });
  return folderPlace(folder, { ...settings, file }, id);
}

function vlmPlace(rest: string): Place {
  const [url, model] = rest.split('#');
  if (!model || !URL.canParse(url) || !/^https?:/.test(url))
    throw new UserError(
      `Expected vlm:URL#MODEL (vlm:http://localhost:8000/v1#qwen2-vl) for --model but received 'vlm:${rest}'`,
    );
  return { kind: 'vlm', url, model };
}
