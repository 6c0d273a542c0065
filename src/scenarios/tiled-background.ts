import type { BoundingBox } from '../image/mask-ops.ts';
import { createRaster, type Raster } from '../image/raster.ts';

/**
 * ImageNet-9's Only-BG-T: the frame is tiled, from its top left corner, with the largest strip of background that lies
 * wholly beside the box (full height left or right of it, else full width above or below), and the box shows the tiles.
 * Undefined where the box leaves no strip.
 */
export function tileOverBox(image: Raster, box: BoundingBox): Raster | undefined {
  const strip = largestStrip(image, box);
  if (!strip) return undefined;
  const { width, height, data } = image;
  const out = data.slice();
  for (let y = box.y; y < box.y + box.height; y++) {
    const row = (strip.y + (y % strip.height)) * width + strip.x;
    const end = box.x + box.width;
    // From one edge of a tile to the next.
    for (let x = box.x; x < end; ) {
      const within = x % strip.width;
      const count = Math.min(strip.width - within, end - x);
      out.set(data.subarray((row + within) * 3, (row + within + count) * 3), (y * width + x) * 3);
      x += count;
    }
  }
  return createRaster(width, height, out);
}

function largestStrip({ width, height }: Raster, box: BoundingBox): BoundingBox | undefined {
  const right = width - box.x - box.width;
  const below = height - box.y - box.height;
  const across = Math.max(box.x, right);
  const down = Math.max(box.y, below);
  if (across === 0 && down === 0) return undefined;
  // Ties as in their script: above or below before beside, right before left, below before above.
  if (across * height > down * width) {
    return { x: box.x > right ? 0 : width - right, y: 0, width: across, height };
  }
  return { x: 0, y: box.y > below ? 0 : height - below, width, height: down };
}
