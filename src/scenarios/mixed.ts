import { SampleError } from '../contracts/errors.ts';
import { boundingBox } from '../image/mask-ops.ts';
import { cover } from './cover.ts';
import type { Scene, Variant } from './define.ts';
import { type Border, beforeBackground } from './paste.ts';
import { tileOverBox } from './tiled-background.ts';

/** Photographs tried before giving up: some have an object whose box leaves no strip to tile with. */
const tries = 16;

/**
 * The object over Only-BG-T of another photograph. Theirs brings both to 256 × 256 (shorter side resized by nearest,
 * middle cropped) and lets black object pixels show the background; here the object stays as it is, to the pixel, and
 * the other background is scaled to cover the frame.
 */
export async function mixed(scene: Scene, of: Parameters<Scene['other']>[0], border: Border): Promise<Variant> {
  const { image } = scene;
  for (let attempt = 0; attempt < tries; attempt++) {
    const other = await scene.other(of);
    const tiled = tileOverBox(other.image, boundingBox(other.mask));
    if (tiled) return beforeBackground(scene, cover(tiled, image.width, image.height), border);
  }
  throw new SampleError(
    'no-background',
    `none of ${tries} photographs picked has a strip of background beside its object`,
  );
}
