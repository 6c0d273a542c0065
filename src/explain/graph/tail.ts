import { editModel } from '../../models/onnx/edit.ts';
import { asFloats, openSession, Tensor } from '../../models/onnx/session.ts';
import type { SpatialLayer } from './find-layer.ts';
import type { GraphFacts } from './graph-facts.ts';
import type { Activation } from './layer-reader.ts';
import { placeOf } from './spatial.ts';
import { feedNodes, tapNodes } from './tap.ts';

/** The network from a layer on: activations in, the classes' scores before a softmax out. */
export interface Tail {
  /** Scores for activations of the layer's dimensions, one after the other in `data`. */
  run(data: Float32Array, dims: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

const names = { layer: 'sceneshift/activation', logits: 'sceneshift/logits' };

/** Undefined where the rest of the network cannot stand alone: it needs more than this layer. */
export async function openTail(
  { path, quantized }: Pick<GraphFacts, 'path' | 'quantized'>,
  { layer, logits }: SpatialLayer,
  threads = 1,
): Promise<Tail | undefined> {
  if (!logits) return undefined;
  for (const type of ['float32', 'float16'] as const) {
    try {
      const bytes = editModel(path, {
        nodes: [feedNodes(layer, names.layer, type), ...tapNodes(logits, names.logits)],
        inputs: [{ name: names.layer }],
        outputs: [{ name: names.logits }],
      });
      const session = await openSession({ path, quantized, threads, bytes });
      return {
        async run(data, dims) {
          const answers = await session.run({ [names.layer]: new Tensor('float32', data, [...dims]) });
          return asFloats(answers[names.logits]);
        },
        close: () => session.release(),
      };
    } catch {
      // The other type, or not at all.
    }
  }
  return undefined;
}

export interface ClassMaps {
  /** Scores of a layer that is zero everywhere: the last layer's bias. */
  readonly bias: Float64Array;
  /** Per position, what the scores would be above the bias if the whole layer were as it is here. */
  readonly maps: readonly Float64Array[];
}

/**
 * Class activation maps (Zhou et al., 2016) without knowing the weights: with global average pooling and a linear layer
 * after it, a layer that is everywhere as at position p scores bias + w·A_p, and w·A_p is the map. Their mean over the
 * positions is the score less the bias; where that does not hold, the network does not end so (`camError`).
 */
export async function classMaps(tail: Tail, { data, dims, spatial }: Activation, atOnce: number): Promise<ClassMaps> {
  const bias = Float64Array.from(await tail.run(new Float32Array(data.length), dims));
  const positions = spatial.width * spatial.height;
  const shrink = shrinkage({ data, spatial });
  const maps: Float64Array[] = [];
  for (let start = 0; start < positions; start += atOnce) {
    const rows = Math.min(atOnce, positions - start);
    const batch = new Float32Array(rows * data.length);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < spatial.channels; k++) {
        const value = data[placeOf(spatial, k, start + row)] * shrink[start + row];
        for (let p = -spatial.prefix; p < positions; p++) batch[row * data.length + placeOf(spatial, k, p)] = value;
      }
    const scores = await tail.run(batch, [rows, ...dims.slice(1)]);
    for (let row = 0; row < rows; row++)
      maps.push(bias.map((value, c) => (scores[row * bias.length + c] - value) / shrink[start + row]));
  }
  return { bias, maps };
}

/**
 * Factors that bring each position down to what the pooled layer holds. A linear layer gives the same map either way;
 * one in 8 bits has its range set for averages and would clip a peak that is repeated everywhere.
 */
function shrinkage({ data, spatial }: Pick<Activation, 'data' | 'spatial'>): Float64Array {
  const positions = spatial.width * spatial.height;
  const peaks = new Float64Array(positions);
  let pooled = 0;
  for (let k = 0; k < spatial.channels; k++) {
    let sum = 0;
    for (let p = 0; p < positions; p++) {
      const value = data[placeOf(spatial, k, p)];
      peaks[p] = Math.max(peaks[p], Math.abs(value));
      sum += value;
    }
    pooled = Math.max(pooled, Math.abs(sum) / positions);
  }
  return peaks.map((peak) => (pooled > 0 && peak > pooled ? pooled / peak : 1));
}

/** The largest |bias + mean of the maps − score| over the classes, as a share of the scores' range. */
export function camError({ bias, maps }: ClassMaps, logits: Float32Array): number {
  let [low, high, worst] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let c = 0; c < logits.length; c++) {
    let sum = 0;
    for (const map of maps) sum += map[c];
    worst = Math.max(worst, Math.abs(bias[c] + sum / maps.length - logits[c]));
    low = Math.min(low, logits[c]);
    high = Math.max(high, logits[c]);
  }
  return high > low ? worst / (high - low) : Number.POSITIVE_INFINITY;
}
