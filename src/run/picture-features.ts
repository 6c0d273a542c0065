import { UserError } from '../contracts/errors.ts';
import { type Features, toFeatures } from '../generate/quality/features.ts';
import { decodeImage } from '../image/decode.ts';
import { describeOnnx } from '../models/onnx/describe.ts';
import { featureModel, featureOutput, tapFeatures } from '../models/onnx/features.ts';
import { networkSize, preprocessor } from '../models/onnx/preprocess.ts';
import { createRunner } from '../models/onnx/runner.ts';
import { openSession } from '../models/onnx/session.ts';
import { localModel } from '../storage/models.ts';
import { hashJson } from './hash.ts';

export interface FeatureReader {
  /** Numbers of a row. */
  readonly dims: number;
  /** Hash of all that decides a row, but for the picture. */
  readonly identity: string;
  /** Undefined: the picture cannot be read. */
  readOne(file: string): Promise<Float32Array | undefined>;
  /** A row per picture that can be read, in their order. */
  read(files: readonly string[], onProgress?: (done: number, total: number) => void): Promise<Features>;
  close(): Promise<void>;
}

/** The penultimate layer of any ONNX network, as `train` takes it, on picture files. */
export async function openFeatureReader(backbone: string, { threads }: { threads: number }): Promise<FeatureReader> {
  const described = await describeOnnx(await localModel(backbone));
  const tap = await tapFeatures(described);
  const { onnx, preprocessing } = described;
  const bytes = featureModel(onnx.path, tap, described.batch);
  const session = await openSession({ path: onnx.path, quantized: onnx.quantized, threads, bytes });
  const facts = { input: onnx.input, outputs: [featureOutput], batch: 1, file: onnx.path };
  const runner = createRunner({ session, preprocessing, ...facts });
  const prepare = preprocessor(preprocessing);
  const readOne = async (file: string) => {
    const image = await decodeImage(file).catch(() => undefined);
    if (!image) return undefined;
    const [{ data }] = await runner.run([prepare(image)], networkSize(preprocessing, image));
    return data.slice(0, tap.features) as Float32Array;
  };
  const { layer, nodes, features } = tap;
  return {
    dims: features,
    identity: hashJson({ identity: described.identity, tap: { layer, nodes, features } }),
    readOne,
    async read(files, onProgress) {
      const rows: Float32Array[] = [];
      for (const [i, file] of files.entries()) {
        const row = await readOne(file);
        if (row) rows.push(row);
        onProgress?.(i + 1, files.length);
      }
      if (rows.length < 2)
        throw new UserError(`${rows.length} of ${files.length} pictures can be read; two or more are needed`);
      return toFeatures(rows);
    },
    close: () => session.release(),
  };
}
