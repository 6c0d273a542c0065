import { UserError } from '../contracts/errors.ts';
import { significantOf } from '../contracts/numbers.ts';
import type { SaliencyMethod } from '../contracts/saliency.ts';
import type { ModelDescription } from '../models/define.ts';
import { preprocessor } from '../models/onnx/preprocess.ts';
import { samplePicture } from '../models/onnx/trial.ts';
import { findSpatialLayer, type SpatialLayer } from './graph/find-layer.ts';
import { type GraphFacts, graphFacts } from './graph/graph-facts.ts';
import { openGraph } from './graph/open-graph.ts';
import { camError, classMaps } from './graph/tail.ts';

export interface MethodChoice {
  readonly method: SaliencyMethod;
  /** Name of the layer; empty for black-box methods. */
  readonly layer: string;
  readonly why: string;
  /** How to get at it. */
  readonly spatial?: SpatialLayer;
}

/** What rounding may leave of |bias + mean of the map − score|, as a share of the scores' range: 8 bits round at every layer. */
const tolerance = { float: 1e-3, quantized: 0.03 };

/**
 * `auto`: CAM where it is exact, else Score-CAM where the graph can be read, else RISE. Transformers get RISE too:
 * after attention every token holds information of the whole picture, so that maps of tokens may add up exactly and
 * still say little about where the model looks.
 */
export async function chooseMethod(
  description: ModelDescription,
  { method, layer }: { readonly method: SaliencyMethod | 'auto'; readonly layer?: string },
): Promise<MethodChoice> {
  checkKind(description);
  if (method === 'rise' || method === 'occlusion') return { method, layer: '', why: 'as asked' };
  const facts = graphFacts(description);
  if (!facts) {
    if (method === 'auto')
      return { method: 'rise', layer: '', why: `a ${description.kind} model has no graph to open` };
    throw new UserError(`${description.name} has no graph to open, which ${method} needs; use --method rise`);
  }
  let spatial: SpatialLayer;
  try {
    spatial = await findSpatialLayer(facts, layer);
  } catch (error) {
    if (method !== 'auto' || layer !== undefined || !(error instanceof UserError)) throw error;
    return { method: 'rise', layer: '', why: 'no layer lies over the picture as a map' };
  }
  const { width, height, channels, layout } = spatial.spatial;
  if (method === 'auto' && layer === undefined && layout === 'tokens')
    return { method: 'rise', layer: '', why: 'tokens have mixed by attention: maps of them do not say where' };
  const at = { layer: spatial.layer.value, spatial };
  const size = `${channels} maps of ${width} × ${height}`;
  if (method === 'score-cam' || method === 'eigen-cam') return { ...at, method, why: size };
  const error = await exactness(description, facts, spatial);
  const shown = Number.isFinite(error) ? `${significantOf(100 * error, 2)} % of the scores' range` : 'no such end';
  if (error <= (facts.quantized ? tolerance.quantized : tolerance.float))
    return { ...at, method: 'cam', why: `${size}; bias + mean of the map equals the score within ${shown}` };
  if (method === 'cam')
    throw new UserError(
      `${description.name} does not end in average pooling and a linear layer (bias + mean of the map misses the score by ${shown}), which CAM needs; use --method score-cam`,
    );
  return { ...at, method: 'score-cam', why: `${size}; CAM would miss the score by ${shown}` };
}

/** How far CAM is from adding up to the scores, on two generated pictures. */
async function exactness(description: ModelDescription, facts: GraphFacts, spatial: SpatialLayer): Promise<number> {
  if (!spatial.logits) return Number.POSITIVE_INFINITY;
  const graph = await openGraph(description, spatial, { threads: 1, tail: true });
  try {
    if (!graph.tail) return Number.POSITIVE_INFINITY;
    const { input, preprocessing, batch } = facts;
    const picture = samplePicture(input.width || 256, input.height || 256);
    const other = { ...picture, data: picture.data.map((value) => 255 - value) };
    let worst = 0;
    for (const shown of [picture, other]) {
      const activation = await graph.reader.read(preprocessor(preprocessing)(shown), shown);
      worst = Math.max(worst, camError(await classMaps(graph.tail, activation, batch), activation.logits));
    }
    return worst;
  } catch {
    // CAM needs the layers after the chosen one to run as a graph of their own.
    return Number.POSITIVE_INFINITY;
  } finally {
    await graph.close();
  }
}

function checkKind({ name, kind }: ModelDescription): void {
  const reason = {
    segmenter: 'a segmentation model: its answer is a map already',
    vlm: 'a vision-language model: it answers in words, not in scores',
    predictions: 'a file of predictions: it cannot be asked about other pictures',
  }[kind as string];
  if (reason) throw new UserError(`${name} cannot be explained, being ${reason}; choose others with --models`);
}
