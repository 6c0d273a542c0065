import type { InferenceSession } from 'onnxruntime-node';
import { UserError } from '../../contracts/errors.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { Prepared } from '../define.ts';
import { joined } from './batch-room.ts';
import type { ImageInput } from './model-file.ts';
import { asFloats, firstLine, pictureTensor } from './session.ts';

export interface RunnerOptions {
  readonly session: InferenceSession;
  readonly input: ImageInput;
  readonly preprocessing: Preprocessing;
  readonly outputs: readonly string[];
  readonly batch: number;
  readonly file: string;
}

export interface Output {
  /** One row per variant. */
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export interface Runner {
  /** At most `batch` pictures of one size; a fixed batch is filled up and the filling's answers dropped. */
  run(pictures: readonly Prepared[], size: { width: number; height: number }): Promise<Output[]>;
}

/**
 * Feeds pictures to a session through buffers that are used again, so that memory stays flat. Calls queue up: the
 * runtime blocks the thread anyway, and the buffers are shared.
 */
export function createRunner({ session, input, preprocessing, outputs, batch, file }: RunnerOptions): Runner {
  const channels = preprocessing.channels === 'L' ? 1 : 3;
  const buffers = new Map<number, Prepared>();
  const bufferFor = (length: number): Prepared => {
    let buffer = buffers.get(length);
    if (!buffer) {
      buffer = new { float32: Float32Array, float16: Uint16Array, uint8: Uint8Array }[preprocessing.type](length);
      if (buffers.size > 3) buffers.clear();
      buffers.set(length, buffer);
    }
    return buffer;
  };

  const gather = (pictures: readonly Prepared[], rows: number, each: number): Prepared => {
    const data = bufferFor(rows * each);
    pictures.forEach((picture, i) => {
      if (picture.length !== each) throw new Error(`a picture of ${picture.length} numbers where ${each} were due`);
      data.set(picture, i * each);
    });
    if (pictures.length < rows) data.fill(0, pictures.length * each);
    return data;
  };

  const runNow: Runner['run'] = async (pictures, { width, height }) => {
    const rows = input.batch || pictures.length;
    const each = width * height * channels;
    const data = (rows === pictures.length && joined(pictures, each)) || gather(pictures, rows, each);
    const picture = preprocessing.layout === 'NCHW' ? [channels, height, width] : [height, width, channels];
    const dims = input.rank === 3 ? picture : [rows, ...picture];
    const tensor = pictureTensor(preprocessing.type, data, dims);
    let answers: InferenceSession.ReturnType;
    try {
      answers = await session.run({ [input.name]: tensor }, [...outputs]);
    } catch (error) {
      throw new UserError(`${file} failed on an input of shape [${dims.join(', ')}]: ${firstLine(error)}`);
    }
    return outputs.map((name) => {
      const output = answers[name];
      const shape = input.rank === 3 && output.dims[0] !== 1 ? [1, ...output.dims] : [...output.dims];
      const floats = asFloats(output);
      return {
        dims: [pictures.length, ...shape.slice(1)],
        data: floats.subarray(0, (floats.length / rows) * pictures.length),
      };
    });
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    run(pictures, size) {
      if (pictures.length > batch) throw new Error(`${pictures.length} pictures where at most ${batch} fit`);
      const next = last.then(() => runNow(pictures, size));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
