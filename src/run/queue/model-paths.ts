import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { ModelConfig, ModelSettings } from '../../contracts/model-config.ts';
import { existsThere } from '../../storage/objects.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { belowRoot, insideRoot } from './root.ts';

const isThere = async (place: string) => (isS3(place) ? existsThere(place) : existsSync(place));

/** `kind:rest`, or the rest alone. */
function split(model: string): { readonly kind: string; readonly rest: string } {
  if (isS3(model)) return { kind: '', rest: model };
  const [, kind = '', rest = model] = /^([a-z][\w-]*:)(.*)$/s.exec(model) ?? [];
  return { kind, rest };
}

/** A model as the coordinator writes it into the queue. */
export function modelBelowRoot(model: ModelConfig, root: string): ModelConfig {
  const named = (text: string) => {
    const { kind, rest } = split(text);
    return isAbsolute(rest) || isS3(rest) ? `${kind}${belowRoot(root, rest, 'the model')}` : text;
  };
  if (typeof model === 'string') return named(model);
  const { labels } = model;
  const isFile = typeof labels === 'string' && existsSync(labels);
  return {
    ...model,
    model: named(model.model),
    ...(isFile && { labels: belowRoot(root, labels, "the model's labels") }),
  };
}

/** The same model on a worker's machine: a network in a file below its root, or one of the hub; never a program or an address. */
export async function modelInsideRoot(model: ModelConfig, root: string): Promise<ModelConfig> {
  const named = async (text: string) => {
    const { kind, rest } = split(text);
    if (['command:', 'vlm:', 'predictions:'].includes(kind))
      throw new UserError(
        `The queue names the model ${kind}…; workers take networks in files, never programs or addresses`,
      );
    if (kind === 'hf:') return text;
    const at = await insideRoot(root, rest);
    // What is no file here is a name on the hub, or a setting of a kind of one's own.
    return /\.onnx$/i.test(rest) || (await isThere(at)) ? `${kind}${at}` : text;
  };
  if (typeof model === 'string') return named(model);
  return { ...model, model: await named(model.model), ...(await labelsInsideRoot(model, root)) };
}

/**
 * `labels` is a list, the name of a known set (which has no slashes) or a file; only a file is a path to be checked.
 */
async function labelsInsideRoot(
  { labels, preprocessing }: ModelSettings,
  root: string,
): Promise<Partial<ModelSettings>> {
  for (const given of [labels, typeof preprocessing === 'object' ? preprocessing.labels : undefined]) {
    if (typeof given !== 'string' || /^[\w-]+$/.test(given)) continue;
    const at = await insideRoot(root, given);
    if (given !== labels || !(await isThere(at)))
      throw new UserError(`The queue names the labels ${given}, which are no file below ${resolve(root)}; refused`);
  }
  return typeof labels === 'string' && !/^[\w-]+$/.test(labels) ? { labels: await insideRoot(root, labels) } : {};
}
