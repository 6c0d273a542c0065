import type { Preprocessing } from '../contracts/model-record.ts';
import type { Raster } from '../image/raster.ts';
import type { Model, Prepared } from '../models/define.ts';
import { type AxisMap, gridMap, stretch } from '../models/onnx/output-map.ts';
import { fitPicture } from '../models/onnx/preprocess.ts';
import { tensorMaker } from '../models/onnx/tensor.ts';

/** A saliency map over the picture that the network is shown, at any resolution; row by row. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

/**
 * A variant as its model sees it: resized and cropped, still in 8 bits. Pixels are removed here, so that every method
 * changes exactly what the network is shown, and pixels that the crop cuts off get no saliency.
 */
export interface Canvas {
  readonly picture: Raster;
  readonly preprocessing: Preprocessing | undefined;
  prepare(picture: Raster): Prepared | Promise<Prepared>;
  /** A map of the shown picture in the variant's own pixels; NaN where the network was shown nothing. */
  toVariant(map: Grid): Float32Array;
}

/** For models that take the picture as it is. */
const asItIs: Preprocessing = {
  padToSquare: false,
  resize: null,
  crop: null,
  fill: [0, 0, 0],
  scale: 1,
  mean: [0, 0, 0],
  std: [1, 1, 1],
  channels: 'RGB',
  layout: 'NHWC',
  type: 'uint8',
};

export function createCanvas(variant: Raster, model: Pick<Model, 'preprocessing' | 'prepare'>): Canvas {
  const { preprocessing } = model;
  const toVariant = ({ width, height, data }: Grid) =>
    stretch(Float32Array.from(data), width, gridMap(preprocessing ?? asItIs, variant, { width, height }), Number.NaN);
  if (!preprocessing)
    return { picture: variant, preprocessing, prepare: (picture) => model.prepare(picture), toVariant };
  const toTensor = tensorMaker(preprocessing);
  return {
    picture: fitPicture(variant, preprocessing),
    preprocessing,
    prepare: (picture) => toTensor(picture),
    toVariant,
  };
}

/** Bilinear, positions at pixel centres, the edge held: PyTorch's `interpolate(align_corners=False)`. */
export function enlarge({ width, height, data }: Grid, toWidth: number, toHeight: number): Float64Array {
  const columns = centres(width, toWidth);
  const rows = centres(height, toHeight);
  const out = new Float64Array(toWidth * toHeight);
  for (let y = 0, at = 0; y < toHeight; y++) {
    const top = rows.low[y] * width;
    const bottom = rows.high[y] * width;
    const down = rows.share[y];
    for (let x = 0; x < toWidth; x++, at++) {
      const [left, right, across] = [columns.low[x], columns.high[x], columns.share[x]];
      const upper = data[top + left] + (data[top + right] - data[top + left]) * across;
      const lower = data[bottom + left] + (data[bottom + right] - data[bottom + left]) * across;
      out[at] = upper + (lower - upper) * down;
    }
  }
  return out;
}

function centres(from: number, to: number): Pick<AxisMap, 'low' | 'high'> & { share: Float64Array } {
  const low = new Int32Array(to);
  const high = new Int32Array(to);
  const share = new Float64Array(to);
  for (let i = 0; i < to; i++) {
    const at = Math.max(0, ((i + 0.5) * from) / to - 0.5);
    low[i] = Math.min(from - 1, Math.floor(at));
    high[i] = Math.min(from - 1, low[i] + 1);
    share[i] = at - Math.floor(at);
  }
  return { low, high, share };
}
