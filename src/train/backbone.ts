import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { OnnxDescription } from '../models/onnx/describe.ts';
import { type FeatureTap, featureModel, tapFeatures } from '../models/onnx/features.ts';
import { describeModel } from '../models/open.ts';
import { locate } from '../models/spec.ts';
import { writeAtomic } from '../run/atomic.ts';
import { hashJson } from '../run/hash.ts';

/** A frozen network that gives features. */
export interface Backbone {
  readonly name: string;
  /** The network as it was delivered. */
  readonly description: OnnxDescription;
  readonly tap: FeatureTap;
  /** Hash of all that decides a feature, but for the picture. */
  readonly identity: string;
}

export interface BackboneOptions {
  readonly layer?: string;
  readonly batch?: number;
  readonly offline?: boolean;
}

/** Reads the model, finds its penultimate layer and tries it. */
export async function openBackbone(spec: ModelConfig, { layer, batch, offline }: BackboneOptions): Promise<Backbone> {
  const settings = typeof spec === 'string' ? { model: spec } : spec;
  const {
    kind: { id: kind },
  } = await locate(settings, { offline });
  if (kind === 'clip')
    throw new UserError(
      `${settings.model} is a pair of encoders; give the image encoder's own file as --backbone (vision_model.onnx, with preprocessor_config.json beside it)`,
    );
  const description = kind === 'onnx' ? await describeModel(spec, { batch, offline }) : undefined;
  if (description?.kind !== 'classifier')
    throw new UserError(
      `Expected an ONNX image classifier or image encoder for --backbone, whose layers can be reached, but received ${settings.model}, a model of kind '${description?.kind ?? kind}'`,
    );
  const onnx = description as OnnxDescription;
  const tap = await tapFeatures(onnx, layer);
  const { outputs: _, output: __, ...identity } = onnx.identity;
  return { name: description.name, description: onnx, tap, identity: hashJson({ identity, tap: describeTap(tap) }) };
}

const describeTap = ({ layer, nodes, features }: FeatureTap) => ({ layer, nodes, features });

/** The file the workers open: the network up to the features. */
export async function writeBackbone(run: string, { description, tap, identity }: Backbone): Promise<string> {
  const name = join('features', `backbone-${identity.slice(0, 12)}.onnx`);
  const { path, input } = description.onnx;
  await writeAtomic(run, name, featureModel(path, tap, input.batch || 'n'));
  return join(run, name);
}
