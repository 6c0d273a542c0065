import { existsSync, statSync } from 'node:fs';
import { UserError } from '../contracts/errors.ts';
import type { ModelSettings } from '../contracts/model-config.ts';
import type { DescribeOptions } from './open.ts';

export type Place = { readonly kind: 'onnx'; readonly path: string };

/** What `--model` names: a file, a folder, a Hugging Face id or `kind:rest`. */
export async function locate(
  { model }: Partial<ModelSettings> & { model: string },
  _options: DescribeOptions,
): Promise<Place> {
  if (existsSync(model) && statSync(model).isFile()) return { kind: 'onnx', path: model };
  throw new UserError(`There is no model at ${model}`);
}
