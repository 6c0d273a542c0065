import type { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import { UserError } from '../../contracts/errors.ts';
import { onnxruntime } from '../../formats/onnxruntime.ts';
import { fromFloat16, toFloat16 } from '../../image/tensor.ts';

/** Numbers for an input, whatever type the file wants them in. */
export interface TensorValues {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

export interface Port {
  readonly name: string;
  readonly type: string;
  /** A number where the file fixes it, else the name of what it is. */
  readonly shape: readonly (number | string)[];
}

/** One ONNX file of a diffusion folder. */
export interface Network {
  readonly inputs: ReadonlyMap<string, Port>;
  readonly outputs: readonly Port[];
  run(feeds: Readonly<Record<string, TensorValues>>, fetches: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Files beside it that hold its weights are found by onnxruntime itself. */
export async function openNetwork(file: string, { threads }: { threads: number }): Promise<Network> {
  const session = await onnxruntime()
    .InferenceSession.create(file, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 4,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    })
    .catch((error) => {
      throw new UserError(`${file} cannot be loaded: ${firstLine(error)}`);
    });
  const ports = (all: readonly InferenceSession.ValueMetadata[]) => all.filter((port) => port.isTensor) as Port[];
  const inputs = new Map(ports(session.inputMetadata).map((port) => [port.name, port]));
  return {
    inputs,
    outputs: ports(session.outputMetadata),
    async run(feeds, fetches) {
      const tensors = Object.fromEntries(
        Object.entries(feeds).map(([name, values]) => [name, toTensor(values, inputs.get(name)?.type ?? 'float32')]),
      );
      try {
        const answers = await session.run(tensors, [...fetches]);
        return fetches.map((name) => toFloats(answers[name].data as unknown as ArrayLike<number>));
      } catch (error) {
        throw new UserError(`${file} failed on ${describe(feeds)}: ${firstLine(error)}`, { exitCode: 1 });
      }
    },
    close: () => session.release(),
  };
}

function toTensor({ data, dims }: TensorValues, type: string): RuntimeTensor {
  const { Tensor } = onnxruntime();
  switch (type) {
    case 'int64':
      return new Tensor(
        'int64',
        BigInt64Array.from({ length: data.length }, (_, i) => BigInt(Math.round(data[i]))),
        dims,
      );
    case 'int32':
      return new Tensor(
        'int32',
        Int32Array.from({ length: data.length }, (_, i) => Math.round(data[i])),
        dims,
      );
    case 'bool':
      return new Tensor(
        'bool',
        Uint8Array.from({ length: data.length }, (_, i) => (data[i] ? 1 : 0)),
        dims,
      );
    case 'float16':
      // Where the runtime has a Float16Array (Node 24 on) it takes these bits as one.
      return new Tensor(
        'float16',
        Uint16Array.from({ length: data.length }, (_, i) => toFloat16(data[i])),
        dims,
      );
    case 'float64':
      return new Tensor('float64', Float64Array.from(data), dims);
    default:
      return new Tensor('float32', Float32Array.from(data), dims);
  }
}

function toFloats(data: ArrayLike<number>): Float32Array {
  if (data instanceof Float32Array) return data;
  return data instanceof Uint16Array ? Float32Array.from(data, fromFloat16) : Float32Array.from(data);
}

const describe = (feeds: Readonly<Record<string, TensorValues>>) =>
  Object.entries(feeds)
    .map(([name, { dims }]) => `${name} [${dims.join(', ')}]`)
    .join(', ');

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0].slice(0, 300);
