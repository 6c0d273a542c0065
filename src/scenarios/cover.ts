import type { Raster } from '../image/raster.ts';
import { resize } from '../image/resize.ts';

/** The middle of the picture, as large as the frame's aspect allows, scaled to the frame: never stretched, no bars. */
export function cover(image: Raster, width: number, height: number): Raster {
  const scale = Math.max(width / image.width, height / image.height);
  const left = Math.max(0, (image.width - width / scale) / 2);
  const top = Math.max(0, (image.height - height / scale) / 2);
  return resize(image, width, height, 'bilinear', [left, top, image.width - left, image.height - top]);
}
