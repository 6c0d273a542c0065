import { UserError } from '../contracts/errors.ts';
import { createMask, type Mask, type Raster } from '../image/raster.ts';
import type { Model } from './define.ts';
import type { Segmenter } from './segmenter.ts';

const isSegmenter = (model: Model): model is Segmenter => 'objectMap' in model;

/** How much each pixel is object, 0 to 1, at the picture's size. */
export function salientMap(model: Model, image: Raster): Promise<Float32Array> {
  if (isSegmenter(model)) return model.objectMap(image);
  throw new UserError(
    `Expected a model that marks pixels (U²-Net, or another segmentation model) for --model but received ${model.name}, a ${model.kind}`,
  );
}

/** The object a segmentation model sees; with U²-Net, whatever stands out. */
export async function salientMask(model: Model, image: Raster, { threshold = 0.5 } = {}): Promise<Mask> {
  const share = await salientMap(model, image);
  const mask = createMask(image.width, image.height);
  for (let i = 0; i < share.length; i++) mask.data[i] = share[i] >= threshold ? 255 : 0;
  return mask;
}
