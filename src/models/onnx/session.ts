import type { InferenceSession } from 'onnxruntime-node';
import { UserError } from '../../contracts/errors.ts';
import type { Device } from '../../contracts/model-config.ts';
import { onnxruntime } from '../../formats/onnxruntime.ts';
import type { Prepared } from '../define.ts';
import { deviceFailed, providersFor } from './device.ts';
import { askInt8 } from './int8.ts';
import { fromFloat16 } from './tensor.ts';

export const { Tensor } = onnxruntime();
export type Tensor = import('onnxruntime-node').Tensor;

export interface SessionFacts {
  readonly path: string;
  /** It has 8-bit operators, which must not saturate. */
  readonly quantized: boolean;
  readonly threads: number;
  readonly device?: Device;
  /** The model itself, where it is not the file's. */
  readonly bytes?: Uint8Array;
}

/** Opened before it is known what for, by file. */
const ahead = new Map<string, Promise<InferenceSession>>();

/** Opens a model that is not quantised on one thread, while the main thread still tries it. */
export async function openSessionAhead(path: string): Promise<void> {
  if (ahead.has(path)) return;
  const opening = create({ path, quantized: false, threads: 1 });
  ahead.set(path, opening);
  // What is wrong with it is told when it is wanted.
  await opening.catch(() => undefined);
}

/** Closes what was opened ahead and is not wanted. */
export async function closeSessionsAhead(): Promise<void> {
  const left = [...ahead.values()];
  ahead.clear();
  for (const opening of left) await opening.then((session) => session.release()).catch(() => undefined);
}

export async function openSession(facts: SessionFacts): Promise<InferenceSession> {
  const { path, quantized, threads, bytes, device = 'cpu' } = facts;
  const opened = quantized || threads > 1 || bytes || device !== 'cpu' ? undefined : ahead.get(path);
  if (!opened) return create(facts);
  ahead.delete(path);
  return opened;
}

async function create(facts: SessionFacts): Promise<InferenceSession> {
  const { path, quantized, threads, bytes, device = 'cpu' } = facts;
  const executionProviders = providersFor(device, path);
  const int8 = quantized ? (await askInt8()).session : {};
  try {
    const options: InferenceSession.SessionOptions = {
      executionProviders,
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // What it says of a model reaches the user as our error, in one line.
      logSeverityLevel: 4,
      // Idle runtime threads that spin would take time from the workers beside them.
      extra: { session: { ...int8, intra_op: { allow_spinning: '0' } } },
    };
    const { InferenceSession } = onnxruntime();
    return await (bytes ? InferenceSession.create(bytes, options) : InferenceSession.create(path, options));
  } catch (error) {
    if (device !== 'cpu') throw deviceFailed(device, path, firstLine(error));
    throw new UserError(`${path} cannot be loaded: ${firstLine(error)}`);
  }
}

/** onnxruntime's reasons are long; the first sentence tells. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0].trim().slice(0, 300);
}

type Data = Tensor['data'];

/**
 * Pictures as a session takes them. Where JavaScript has `Float16Array` (Node 24 and newer) the library makes one of half
 * precision data, but its native side reads `Uint16Array` alone; a record with the tensor's fields reaches it as it is.
 */
export const pictureTensor = (
  type: 'float32' | 'float16' | 'uint8',
  data: Prepared,
  dims: readonly number[],
): Tensor =>
  type === 'float16'
    ? ({ type, data, dims, location: 'cpu' } as unknown as Tensor)
    : new Tensor(type, data as Float32Array, dims);

/** Any numeric output as float32. */
export function asFloats(tensor: { type: string; data: Data }): Float32Array {
  const { data, type } = tensor;
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, fromFloat16);
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float32Array.from(data, Number);
  if (Array.isArray(data)) throw new UserError(`a model output of type ${type} is not a list of numbers`);
  return Float32Array.from(data as unknown as ArrayLike<number>);
}
