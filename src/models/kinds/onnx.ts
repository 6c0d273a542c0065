import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { defineModel } from '../define.ts';
import type { OnnxDescription } from '../onnx/describe.ts';
import { mustExist } from './must-exist.ts';

const usualFiles = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'];

export const onnxKind = defineModel<OnnxDescription>({
  id: 'onnx',
  title: 'ONNX classifier or segmentation model, or a folder with an exported one',
  written: 'FILE.onnx, FOLDER',
  describes: ['classifier', 'segmenter'],
  find(path, { file }) {
    if (!statSync(path).isDirectory()) return path;
    if (file && !existsSync(join(path, file))) throw new UserError(`${path} has no file ${file}`);
    const found = file ?? usualFiles.find((name) => existsSync(join(path, name)));
    return found && join(path, found);
  },
  async describe(path, settings, { batch, threads, onSession }) {
    const { describeOnnx } = await import('../onnx/describe.ts');
    return describeOnnx(mustExist(path), { settings, batch, threads, onSession });
  },
  async open(described, options) {
    if (described.kind === 'segmenter') {
      const { openSegmenter } = await import('../segmenter.ts');
      return openSegmenter(described, options);
    }
    const { openClassifier } = await import('../classifier.ts');
    return openClassifier(described, options);
  },
});
