import type { Device } from '../../contracts/model-config.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import { createRaster } from '../../image/raster.ts';
import type { ImageInput, ModelFile } from './model-file.ts';
import { networkSize, preprocessor } from './preprocess.ts';
import { createRunner } from './runner.ts';
import { openSession } from './session.ts';

/** One run on a generated picture: shows that the model works, what comes out and how long it takes. */
export interface GraphTrial {
  readonly milliseconds: number;
  readonly dims: readonly number[];
  readonly minimum: number;
  readonly maximum: number;
  /** The outputs are positive and sum to 1. */
  readonly sumsToOne: boolean;
  /** False: two pictures at a time fail, or get other answers than alone. */
  readonly takesBatches: boolean;
}

export interface TryOptions {
  readonly input: ImageInput;
  readonly output: string;
  readonly preprocessing: Preprocessing;
  readonly threads: number;
  readonly device: Device;
}

export async function tryOnce(file: ModelFile, options: TryOptions): Promise<GraphTrial> {
  const { input, output, preprocessing, threads, device } = options;
  const session = await openSession({ path: file.path, quantized: file.graph.quantized, threads, device });
  try {
    const batch = input.batch || 2;
    const runner = createRunner({ session, input, preprocessing, outputs: [output], batch, file: file.path });
    const prepare = preprocessor(preprocessing);
    const picture = samplePicture(input.width || 256, input.height || 256);
    const size = networkSize(preprocessing, picture);
    const tensor = prepare(picture);
    // The first run warms up.
    await runner.run([tensor], size);
    const started = performance.now();
    const [{ dims, data }] = await runner.run([tensor], size);
    const milliseconds = (performance.now() - started) / (input.batch || 1);
    const { minimum, maximum, sum } = summary(data);
    const together = async () => {
      const other = prepare({ ...picture, data: picture.data.map((value) => 255 - value) });
      const [{ data: both }] = await runner.run([other, tensor], size);
      return both.length === 2 * data.length && near(both.subarray(data.length), data, maximum - minimum);
    };
    return {
      milliseconds,
      dims,
      minimum,
      maximum,
      sumsToOne: data.length > 1 && minimum >= 0 && Math.abs(sum - 1) < 1e-3,
      takesBatches: batch > 1 && (await together().catch(() => false)),
    };
  } finally {
    await session.release();
  }
}

function summary(data: Float32Array) {
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const value of data) {
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
    sum += value;
  }
  return { minimum, maximum, sum };
}

/** Sums in another order differ in the last digits; half precision has three. */
const near = (a: Float32Array, b: Float32Array, range: number) =>
  a.every((value, i) => Math.abs(value - b[i]) <= 0.01 * range + 1e-6);

/** A picture with edges and colours, the same every time. */
export function samplePicture(width: number, height: number) {
  const picture = createRaster(width, height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (Math.min(width, height) / 3) ** 2;
      picture.data[at++] = inside ? 220 : (x * 255) / width;
      picture.data[at++] = inside ? (((x >> 3) + (y >> 3)) & 1) * 160 : (y * 255) / height;
      picture.data[at++] = inside ? 40 : 128;
    }
  return picture;
}
