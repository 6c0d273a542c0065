import { SampleError } from '../contracts/errors.ts';
import { compose } from '../image/compose.ts';
import { boundingBox } from '../image/mask-ops.ts';
import type { Raster } from '../image/raster.ts';
import { cover } from './cover.ts';
import type { Scene } from './define.ts';
import { tileOverBox } from './tiled-background.ts';

/** Photographs tried before giving up: some have an object whose box leaves no strip to tile with. */
const tries = 16;

/**
 * The object over Only-BG-T of another photograph. Theirs brings both to 256 × 256 (shorter side resized by nearest,
 * middle cropped) and lets black object pixels show the background; here the object stays as it is, to the pixel, and
 * the other background is scaled to cover the frame.
 */
export async function mixed(scene: Scene, of: Parameters<Scene['other']>[0]): Promise<Raster> {
  const { image, mask } = scene;
  for (let attempt = 0; attempt < tries; attempt++) {
    const other = await scene.other(of);
    const tiled = tileOverBox(other.image, boundingBox(other.mask));
    if (tiled) return compose(image, cover(tiled, image.width, image.height), mask);
  }
  throw new SampleError(
    'no-background',
    `none of ${tries} photographs picked has a strip of background beside its object`,
  );
}
