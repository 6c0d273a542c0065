import { UserError } from '../../contracts/errors.ts';
import type { RemoteFile } from './download.ts';

const beside = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'];
const single = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'];
const pairs = [
  ['vision_model.onnx', 'text_model.onnx'],
  ['onnx/vision_model.onnx', 'onnx/text_model.onnx'],
  ['onnx/vision_model_quantized.onnx', 'onnx/text_model_quantized.onnx'],
];

/** The files of a repository that running it takes; of several exports, the one in full precision. */
export function wantedFiles(tree: readonly RemoteFile[], id: string, file?: string): RemoteFile[] {
  const paths = new Set(tree.map(({ path }) => path));
  const models = file
    ? [file]
    : (pairs.find((pair) => pair.every((path) => paths.has(path))) ?? [single.find((path) => paths.has(path))]);
  const missing = models.find((path) => path === undefined || !paths.has(path));
  if (models.length === 0 || missing !== undefined || models[0] === undefined) {
    const onnx = [...paths].filter((path) => path.endsWith('.onnx'));
    if (file)
      throw new UserError(`${id} has no file ${file}${onnx.length ? `; it has ${onnx.slice(0, 8).join(', ')}` : ''}`);
    throw new UserError(
      onnx.length
        ? `${id} has no model.onnx; choose one of ${onnx.slice(0, 8).join(', ')} with ${id}#FILE`
        : `${id} has no ONNX files; export it first (optimum-cli export onnx --model ${id} FOLDER) and give the folder`,
    );
  }
  const wanted = new Set<string>(beside);
  for (const path of models as string[]) {
    wanted.add(path);
    // Weights too large for one file, and a record of ours.
    for (const suffix of ['_data', '.data', '.json']) wanted.add(`${path}${suffix}`);
    wanted.add(path.replace(/\.onnx$/, '.json'));
  }
  return tree.filter(({ path }) => wanted.has(path)).sort((a, b) => a.size - b.size);
}
