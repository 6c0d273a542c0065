import type { Random } from '../../src/contracts/random.ts';

export interface Layer {
  readonly channels: number;
  readonly kernel: number;
  readonly stride: number;
}

/** Convolutions with ReLU, the mean over the picture, a linear layer. Weights as ONNX has them: `[out, in, kernel, kernel]`. */
export interface Network {
  readonly sizePx: number;
  readonly layers: readonly Layer[];
  readonly outputs: number;
  /** Weight and bias of each convolution, then of the linear layer (`[outputs, channels]`). */
  readonly parameters: readonly Float32Array[];
}

export function createNetwork(sizePx: number, layers: readonly Layer[], outputs: number, random: Random): Network {
  const parameters: Float32Array[] = [];
  const normal = (length: number, deviation: number) =>
    Float32Array.from({ length }, () => deviation * random.normal());
  let channels = 3;
  for (const layer of layers) {
    const fanIn = channels * layer.kernel ** 2;
    // He et al. 2015, equation 10: keeps the variance through ReLU.
    parameters.push(normal(layer.channels * fanIn, Math.sqrt(2 / fanIn)), new Float32Array(layer.channels));
    channels = layer.channels;
  }
  parameters.push(normal(outputs * channels, Math.sqrt(1 / channels)), new Float32Array(outputs));
  return { sizePx, layers, outputs, parameters };
}

interface Trace {
  /** Input patches of each convolution, `[patch value][position]`. */
  readonly patches: Float32Array[];
  readonly activations: Float32Array[];
  readonly pooled: Float32Array;
  readonly logits: Float32Array;
}

const outSize = (size: number, { stride }: Layer) => Math.ceil(size / stride);

/** `input`: three planes, normalised. */
export function forward({ sizePx, layers, outputs, parameters }: Network, input: Float32Array): Trace {
  const patches: Float32Array[] = [];
  const activations: Float32Array[] = [];
  let [from, channels, size] = [input, 3, sizePx];
  for (const [i, layer] of layers.entries()) {
    const out = outSize(size, layer);
    const columns = unfold(from, channels, size, layer);
    const result = new Float32Array(layer.channels * out * out);
    const inner = channels * layer.kernel ** 2;
    for (let c = 0; c < layer.channels; c++) {
      const row = result.subarray(c * out * out, (c + 1) * out * out).fill(parameters[2 * i + 1][c]);
      for (let k = 0; k < inner; k++) addScaled(row, columns, k * out * out, parameters[2 * i][c * inner + k]);
      for (let p = 0; p < row.length; p++) if (row[p] < 0) row[p] = 0;
    }
    patches.push(columns);
    activations.push(result);
    [from, channels, size] = [result, layer.channels, out];
  }
  const positions = size * size;
  const pooled = Float32Array.from({ length: channels }, (_, c) => {
    let sum = 0;
    for (let p = 0; p < positions; p++) sum += from[c * positions + p];
    return sum / positions;
  });
  const [weight, bias] = parameters.slice(-2);
  const logits = Float32Array.from({ length: outputs }, (_, o) => {
    let sum = bias[o];
    for (let c = 0; c < channels; c++) sum += weight[o * channels + c] * pooled[c];
    return sum;
  });
  return { patches, activations, pooled, logits };
}

/** Adds the gradient of the cross-entropy of one picture to `gradients`; returns the loss. */
export function backward(network: Network, trace: Trace, label: number, gradients: readonly Float32Array[]): number {
  const { layers, outputs, parameters } = network;
  const probabilities = softmax(trace.logits);
  const channels = layers[layers.length - 1].channels;
  const weight = parameters[parameters.length - 2];
  const last = trace.activations[layers.length - 1];
  const positions = last.length / channels;
  let upstream: Float32Array = new Float32Array(last.length);
  for (let o = 0; o < outputs; o++) {
    const error = probabilities[o] - (o === label ? 1 : 0);
    gradients[parameters.length - 1][o] += error;
    for (let c = 0; c < channels; c++) {
      gradients[parameters.length - 2][o * channels + c] += error * trace.pooled[c];
      const share = (error * weight[o * channels + c]) / positions;
      for (let p = 0; p < positions; p++) upstream[c * positions + p] += share;
    }
  }
  for (let i = layers.length - 1; i >= 0; i--) upstream = backThroughLayer(network, trace, i, upstream, gradients);
  return -Math.log(Math.max(1e-12, probabilities[label]));
}

function backThroughLayer(
  { sizePx, layers, parameters }: Network,
  { patches, activations }: Trace,
  i: number,
  upstream: Float32Array,
  gradients: readonly Float32Array[],
): Float32Array {
  const layer = layers[i];
  const size = layers.slice(0, i).reduce(outSize, sizePx);
  const inChannels = i ? layers[i - 1].channels : 3;
  const inner = inChannels * layer.kernel ** 2;
  const positions = upstream.length / layer.channels;
  const ofPatches = new Float32Array(i ? inner * positions : 0);
  for (let p = 0; p < upstream.length; p++) if (activations[i][p] === 0) upstream[p] = 0;
  for (let c = 0; c < layer.channels; c++) {
    const error = upstream.subarray(c * positions, (c + 1) * positions);
    let sum = 0;
    for (let p = 0; p < positions; p++) sum += error[p];
    gradients[2 * i + 1][c] += sum;
    for (let k = 0; k < inner; k++) {
      gradients[2 * i][c * inner + k] += dotAt(error, patches[i], k * positions);
      if (i)
        addScaled(ofPatches.subarray(k * positions, (k + 1) * positions), error, 0, parameters[2 * i][c * inner + k]);
    }
  }
  return i ? fold(ofPatches, inChannels, size, layer) : ofPatches;
}

/** Every patch under the kernel as a column, zeros beyond the border. */
function unfold(from: Float32Array, channels: number, size: number, layer: Layer): Float32Array {
  const out = outSize(size, layer);
  const columns = new Float32Array(channels * layer.kernel ** 2 * out * out);
  for (const { column, pixel, count } of runs(channels, size, layer))
    for (let x = 0; x < count; x++) columns[column + x] = from[pixel + x * layer.stride];
  return columns;
}

/** The transpose of `unfold`: what lies under several patches is summed. */
function fold(columns: Float32Array, channels: number, size: number, layer: Layer): Float32Array {
  const result = new Float32Array(channels * size * size);
  for (const { column, pixel, count } of runs(channels, size, layer))
    for (let x = 0; x < count; x++) result[pixel + x * layer.stride] += columns[column + x];
  return result;
}

interface Run {
  /** Where the run starts among the columns and in the picture, and how many steps it has. */
  readonly column: number;
  readonly pixel: number;
  readonly count: number;
}

const known = new Map<string, Run[]>();

/** The rows of pixels that a layer's columns are made of; the same for every picture, so found once. */
function runs(channels: number, size: number, layer: Layer): Run[] {
  const { kernel, stride } = layer;
  const key = [channels, size, kernel, stride].join(' ');
  const found = known.get(key);
  if (found) return found;
  const out = outSize(size, layer);
  const pad = (kernel - 1) / 2;
  const list: Run[] = [];
  for (let row = 0; row < channels * kernel * kernel; row++) {
    const [c, ky, kx] = [Math.floor(row / kernel ** 2), Math.floor(row / kernel) % kernel, row % kernel];
    const first = Math.max(0, Math.ceil((pad - kx) / stride));
    const last = Math.min(out - 1, Math.floor((size - 1 + pad - kx) / stride));
    for (let y = 0; y < out; y++) {
      const fromY = y * stride + ky - pad;
      if (fromY < 0 || fromY >= size) continue;
      const pixel = (c * size + fromY) * size + first * stride + kx - pad;
      list.push({ column: (row * out + y) * out + first, pixel, count: last - first + 1 });
    }
  }
  known.set(key, list);
  return list;
}

function addScaled(onto: Float32Array, from: Float32Array, start: number, factor: number): void {
  for (let p = 0; p < onto.length; p++) onto[p] += factor * from[start + p];
}

function dotAt(a: Float32Array, b: Float32Array, start: number): number {
  let sum = 0;
  for (let p = 0; p < a.length; p++) sum += a[p] * b[start + p];
  return sum;
}

function softmax(logits: Float32Array): Float32Array {
  const top = Math.max(...logits);
  const powers = logits.map((value) => Math.exp(value - top));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}
