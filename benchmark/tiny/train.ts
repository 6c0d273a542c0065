import type { Random } from '../../src/contracts/random.ts';
import { backward, forward, type Network } from './network.ts';

export interface Example {
  /** Three planes of the network's size, normalised. */
  readonly input: Float32Array;
  readonly label: number;
}

export interface TrainOptions {
  readonly epochs: number;
  readonly batch?: number;
  readonly rate?: number;
  readonly random: Random;
  readonly onEpoch?: (epoch: number, loss: number) => void;
}

/** Adam (Kingma and Ba 2015, algorithm 1) with a rate that falls along half a cosine; pictures are mirrored and moved. */
export function train(
  network: Network,
  examples: readonly Example[],
  { epochs, batch = 16, rate = 0.004, random, onEpoch }: TrainOptions,
): void {
  const { parameters, sizePx } = network;
  const zeros = () => parameters.map((values) => new Float32Array(values.length));
  const [mean, square] = [zeros(), zeros()];
  const steps = epochs * Math.ceil(examples.length / batch);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = random.shuffle([...examples.keys()]);
    let loss = 0;
    for (let start = 0; start < order.length; start += batch) {
      const gradients = zeros();
      const chosen = order.slice(start, start + batch);
      for (const at of chosen) {
        const { input, label } = examples[at];
        loss += backward(network, forward(network, varied(input, sizePx, random)), label, gradients);
      }
      step++;
      const now = rate * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
      for (const [i, values] of parameters.entries()) {
        for (let j = 0; j < values.length; j++) {
          const gradient = gradients[i][j] / chosen.length;
          mean[i][j] = 0.9 * mean[i][j] + 0.1 * gradient;
          square[i][j] = 0.999 * square[i][j] + 0.001 * gradient * gradient;
          const unbiased = mean[i][j] / (1 - 0.9 ** step);
          values[j] -= (now * unbiased) / (Math.sqrt(square[i][j] / (1 - 0.999 ** step)) + 1e-8);
        }
      }
    }
    onEpoch?.(epoch, loss / examples.length);
  }
}

/** Mirrored half of the time, moved by up to three pixels (the border repeated), the contrast of each channel changed. */
function varied(input: Float32Array, size: number, random: Random): Float32Array {
  const mirrored = random.uniform() < 0.5;
  const [dx, dy] = [random.integer(-3, 3), random.integer(-3, 3)];
  const result = new Float32Array(input.length);
  const clamp = (value: number) => Math.min(size - 1, Math.max(0, value));
  for (let c = 0; c < 3; c++) {
    const gain = 0.85 + 0.3 * random.uniform();
    for (let y = 0; y < size; y++) {
      const row = (c * size + clamp(y + dy)) * size;
      for (let x = 0; x < size; x++) {
        const from = clamp(x + dx);
        result[(c * size + y) * size + x] = gain * input[row + (mirrored ? size - 1 - from : from)];
      }
    }
  }
  return result;
}

export function accuracy(network: Network, examples: readonly Example[]): number {
  const right = examples.filter(({ input, label }) => {
    const { logits } = forward(network, input);
    return logits.indexOf(Math.max(...logits)) === label;
  });
  return right.length / examples.length;
}
