import type { Prepared } from '../../models/define.ts';
import { editModel } from '../../models/onnx/edit.ts';
import { networkSize } from '../../models/onnx/preprocess.ts';
import { asFloats, openSession } from '../../models/onnx/session.ts';
import { ofOne, oneTensor, type SpatialLayer } from './find-layer.ts';
import type { GraphFacts } from './graph-facts.ts';
import { type Spatial, spatialOf } from './spatial.ts';
import { tapNodes } from './tap.ts';

export interface Activation {
  readonly spatial: Spatial;
  /** The layer's dimensions, of one picture. */
  readonly dims: readonly number[];
  readonly data: Float32Array;
  /** The classes' scores before a softmax; empty for encoders. */
  readonly logits: Float32Array;
}

export interface LayerReader {
  /** `size`: of the variant, before preprocessing. */
  read(prepared: Prepared, size: { width: number; height: number }): Promise<Activation>;
  close(): Promise<void>;
}

const names = { layer: 'sceneshift/layer', logits: 'sceneshift/logits' };

/** The network with a layer inside it as a further output. */
export async function openLayerReader(
  facts: GraphFacts,
  { layer, logits }: SpatialLayer,
  threads = 1,
): Promise<LayerReader> {
  const { path, quantized, input, preprocessing } = facts;
  const outputs = [names.layer, ...(logits ? [names.logits] : [])];
  const bytes = editModel(path, {
    nodes: [...tapNodes(layer, names.layer), ...(logits ? tapNodes(logits, names.logits) : [])],
    outputs: outputs.map((name) => ({ name })),
  });
  const session = await openSession({ path, quantized, threads, bytes });
  return {
    async read(prepared, size) {
      const shown = networkSize(preprocessing, size);
      const answers = await session.run({ [input.name]: oneTensor(facts, prepared, shown) });
      const found = answers[names.layer];
      const dims = ofOne(found.dims, input.batch);
      const spatial = spatialOf(dims, shown);
      if (!spatial) throw new Error(`layer ${layer.value} has the shape [${dims.join(', ')}], which is no map`);
      const length = dims.reduce((product, dim) => product * dim, 1);
      const all = logits ? asFloats(answers[names.logits]) : new Float32Array(0);
      return {
        spatial,
        dims,
        data: asFloats(found).slice(0, length),
        logits: all.slice(0, all.length / (input.batch || 1)),
      };
    },
    close: () => session.release(),
  };
}
