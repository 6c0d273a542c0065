import type { ClipDescription } from '../clip/describe.ts';
import { clipPair } from '../clip/pair.ts';
import { defineModel } from '../define.ts';

export const clipKind = defineModel<ClipDescription>({
  id: 'clip',
  title: 'CLIP-type pair of encoders',
  written: 'FOLDER or owner/name with vision_model.onnx, text_model.onnx and tokenizer.json',
  describes: ['clip'],
  find: (path, { file }) => (!file && clipPair(path) ? path : undefined),
  async describe(folder, settings, { batch, threads, classes }) {
    const { describeClip } = await import('../clip/describe.ts');
    return describeClip(folder, { settings, classes, batch, threads });
  },
  async open(described, options) {
    const { openClip } = await import('../clip/open.ts');
    return openClip(described, options);
  },
});
