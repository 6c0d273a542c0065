import { existsSync } from 'node:fs';
import { join } from 'node:path';

const pairs = [
  ['vision_model', 'text_model'],
  ['visual', 'textual'],
  ['image_encoder', 'text_encoder'],
] as const;

/** The two encoders of a folder, where it is that of a CLIP-type model. */
export function clipPair(folder: string): { vision: string; text: string } | undefined {
  for (const below of ['', 'onnx'])
    for (const [visionName, textName] of pairs)
      for (const suffix of ['', '_fp16', '_int8', '_quantized']) {
        const vision = join(folder, below, `${visionName}${suffix}.onnx`);
        const text = join(folder, below, `${textName}${suffix}.onnx`);
        if (existsSync(vision) && existsSync(text)) return { vision, text };
      }
  return undefined;
}
