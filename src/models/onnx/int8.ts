import { cpus } from 'node:os';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { onnxruntime } from '../../formats/onnxruntime.ts';
import { writeModel } from './write.ts';

/** Keeps 8-bit products from saturating where the processor lacks VNNI; elsewhere it changes no answer and costs a factor of 2.7. */
const precise = { x64quantprecision: '1' } as const;

export interface Int8 {
  /** Without the setting, the runtime's 8-bit kernels give other answers on this processor. */
  readonly saturates: boolean;
  /** What quantised models are run with here. */
  readonly session: typeof precise | Record<string, never>;
}

const key = 'sceneshift: int8';
let asking: Promise<Int8> | undefined;

/** Asks the runtime itself, once per process: worker threads take over what the main thread found. */
export async function askInt8(): Promise<Int8> {
  return knownInt8() ?? (asking ??= ask());
}

/** What was found, where a quantised model made it necessary to ask. */
export const knownInt8 = () => getEnvironmentData(key) as unknown as Int8 | undefined;

/** The processor, for a run's record; how int8 models are run only where there were any. */
export function processorFacts(): { readonly name: string | undefined; readonly int8?: string } {
  const found = knownInt8();
  return { name: cpus()[0]?.model.trim(), ...(found && { int8: int8Text(found) }) };
}

export const int8Text = ({ saturates }: Int8) =>
  saturates
    ? 'run with session.x64quantprecision=1: 8-bit products saturate on this processor'
    : 'run as they are: 8-bit products do not saturate on this processor';

async function ask(): Promise<Int8> {
  const found = decideInt8(await answers({}), await answers(precise));
  learnInt8(found);
  return found;
}

/** For a thread that was started before the main thread had asked. */
export function learnInt8(found: Int8 | undefined): void {
  if (found) setEnvironmentData(key, found as unknown as Parameters<typeof setEnvironmentData>[1]);
}

/** Equal answers with and without the setting: it is not needed. */
export function decideInt8(without: readonly number[], withSetting: readonly number[]): Int8 {
  const saturates = without.some((value, i) => value !== withSetting[i]);
  return { saturates, session: saturates ? precise : {} };
}

const [rows, depth, columns, side] = [4, 64, 32, 6];

/** A product and a convolution of the largest values: every pair of products exceeds 16 bits. */
const graph = () =>
  writeModel({
    name: 'int8',
    producer: 'sceneshift',
    inputs: [
      { name: 'a', type: 2, shape: [rows, depth] },
      { name: 'picture', type: 2, shape: [1, depth, side, side] },
    ],
    outputs: [
      { name: 'product', type: 6, shape: [rows, columns] },
      { name: 'map', type: 2, shape: [1, columns, side - 2, side - 2] },
    ],
    nodes: [
      { op: 'MatMulInteger', inputs: ['a', 'b'], outputs: ['product'] },
      {
        op: 'QLinearConv',
        inputs: ['picture', 'one', 'zero', 'kernel', 'one', 'signedZero', 'coarse', 'zero'],
        outputs: ['map'],
      },
    ],
    tensors: [
      { name: 'b', dims: [depth, columns], values: new Int8Array(depth * columns).fill(127) },
      { name: 'kernel', dims: [columns, depth, 3, 3], values: new Int8Array(columns * depth * 9).fill(127) },
      { name: 'one', dims: [], values: Float32Array.of(1) },
      { name: 'coarse', dims: [], values: Float32Array.of((255 * 127 * depth * 9) / 200) },
      { name: 'zero', dims: [], values: Uint8Array.of(0) },
      { name: 'signedZero', dims: [], values: Int8Array.of(0) },
    ],
  });

/** The graph's numbers: `depth` × 255 × 127 for the product and 200 for the map, where nothing saturates. */
export async function answers(session: Readonly<Record<string, string>>): Promise<number[]> {
  const { InferenceSession, Tensor } = onnxruntime();
  const opened = await InferenceSession.create(graph(), {
    intraOpNumThreads: 1,
    logSeverityLevel: 4,
    extra: { session },
  });
  try {
    const { product, map } = await opened.run({
      a: new Tensor('uint8', new Uint8Array(rows * depth).fill(255), [rows, depth]),
      picture: new Tensor('uint8', new Uint8Array(depth * side * side).fill(255), [1, depth, side, side]),
    });
    return [...(product.data as Int32Array), ...(map.data as Uint8Array)];
  } finally {
    await opened.release();
  }
}
