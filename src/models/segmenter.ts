import { SampleError, UserError } from '../contracts/errors.ts';
import type { Raster } from '../image/raster.ts';
import type { Answer, ClassMap, Model, OpenOptions, Prepared } from './define.ts';
import type { OnnxDescription } from './onnx/describe.ts';
import { openRunner } from './onnx/open-runner.ts';
import { type GridMap, gridMap, stretch } from './onnx/output-map.ts';
import { networkSize, preprocessor } from './onnx/preprocess.ts';

export interface Segmenter extends Model {
  /** How much each pixel is object, 0 to 1, at the picture's size: one minus the first class, where there are several. */
  objectMap(image: Raster): Promise<Float32Array>;
}

/** One picture's output: channels first, or class indices. */
interface Grid {
  readonly width: number;
  readonly height: number;
  readonly channels: Float32Array[];
  readonly indices: boolean;
}

/** An ONNX segmentation model: one value or one score per class for every pixel. */
export async function openSegmenter(described: OnnxDescription, { threads = 1 }: OpenOptions = {}): Promise<Segmenter> {
  const { onnx, preprocessing, batch } = described;
  const prepare = preprocessor(preprocessing);
  const { path, quantized, device, input, output } = onnx;
  const runner = await openRunner(
    { path, quantized, device, threads },
    { input, preprocessing, outputs: [output], batch },
  );
  const gridsFor = async (pictures: readonly Prepared[], size: { width: number; height: number }) => {
    const [{ dims, data }] = await runner.run(pictures, networkSize(preprocessing, size));
    const each = data.length / pictures.length;
    return pictures.map((_, i) => toGrid(data.subarray(i * each, (i + 1) * each), dims.slice(1), described));
  };
  return {
    ...described,
    prepare,
    async answer(pictures, questions) {
      const answers: Answer[] = [];
      for (let start = 0; start < pictures.length; start += batch) {
        const part = pictures.slice(start, start + batch);
        const asked = questions.slice(start, start + batch);
        const grids = await gridsFor(part, asked[0]);
        grids.forEach((grid, i) => {
          const { width, height } = asked[i];
          const map = gridMap(preprocessing, { width, height }, grid);
          answers.push({ kind: 'mask', classes: classMap(grid, map, onnx.activation, { width, height }) });
        });
      }
      return answers;
    },
    async objectMap(image) {
      const [grid] = await gridsFor([prepare(image)], image);
      return objectShare(grid, gridMap(preprocessing, image, grid), onnx.activation);
    },
    close: runner.close,
  };
}

export type Activation = OnnxDescription['onnx']['activation'];

function toGrid(data: Float32Array, dims: readonly number[], { onnx, preprocessing }: OnnxDescription): Grid {
  const indices = onnx.activation === 'indices';
  if (dims.length === 2) return { height: dims[0], width: dims[1], channels: [data], indices };
  if (dims.length !== 3)
    throw new UserError(
      `${onnx.path}: output '${onnx.output}' has ${dims.length + 1} dimensions; expected 3 or 4 from a segmentation model`,
    );
  const last = preprocessing.layout === 'NHWC' && dims[0] !== 1;
  const [count, height, width] = last ? [dims[2], dims[0], dims[1]] : dims;
  const pixels = width * height;
  const channels = Array.from({ length: count }, (_, c) =>
    last
      ? Float32Array.from({ length: pixels }, (_, i) => data[i * count + c])
      : data.subarray(c * pixels, (c + 1) * pixels),
  );
  return { width, height, channels, indices };
}

/** A single channel as 0 to 1. */
function activate(plane: Float32Array, activation: Activation): Float32Array {
  if (activation === 'logits') return plane.map((value) => 1 / (1 + Math.exp(-value)));
  if (activation !== 'min-max') return plane;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of plane) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return plane.map((value) => (value - low) / (high - low || 1));
}

function classMap(grid: Grid, map: GridMap, activation: Activation, size: { width: number; height: number }): ClassMap {
  const { width, height } = size;
  const { channels } = grid;
  if (channels.some((plane) => plane.some(Number.isNaN)))
    throw new SampleError('model-failed', 'the model answered with something that is not a number');
  const data = channels.length > 256 || grid.indices ? new Uint16Array(width * height) : new Uint8Array(width * height);
  if (grid.indices) {
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at++) {
        const row = map.rows.nearest[y];
        const column = map.columns.nearest[x];
        data[at] = row < 0 || column < 0 ? 0 : channels[0][row * grid.width + column];
      }
    return { width, height, data };
  }
  if (channels.length === 1) {
    const share = stretch(activate(channels[0], activation), grid.width, map, 0);
    for (let i = 0; i < data.length; i++) data[i] = share[i] >= 0.5 ? 1 : 0;
    return { width, height, data };
  }
  // Scores are stretched, then compared: the usual order, which keeps borders smooth.
  const best = stretch(channels[0], grid.width, map, 0);
  for (let c = 1; c < channels.length; c++) {
    const scores = stretch(channels[c], grid.width, map, Number.NEGATIVE_INFINITY);
    for (let i = 0; i < data.length; i++)
      if (scores[i] > best[i]) {
        best[i] = scores[i];
        data[i] = c;
      }
  }
  return { width, height, data };
}

function objectShare(grid: Grid, map: GridMap, activation: Activation): Float32Array {
  const { channels } = grid;
  if (grid.indices)
    return stretch(
      channels[0].map((index) => (index > 0 ? 1 : 0)),
      grid.width,
      map,
      0,
    );
  if (channels.length === 1) return stretch(activate(channels[0], activation), grid.width, map, 0);
  const share = new Float32Array(channels[0].length);
  for (let i = 0; i < share.length; i++) {
    const [background, ...others] = channels.map((plane) => plane[i]);
    const total = others.reduce(
      (sum, value) => sum + (activation === 'logits' ? Math.exp(value - background) : value),
      activation === 'logits' ? 1 : background,
    );
    share[i] = activation === 'logits' ? 1 - 1 / total : 1 - background / (total || 1);
  }
  return stretch(share, grid.width, map, 0);
}
