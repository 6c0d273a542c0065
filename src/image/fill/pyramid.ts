import { createRaster, type Raster } from '../raster.ts';
import type { Hole } from './hole.ts';
import { workspace } from './workspace.ts';

/** One scale of the photograph: four bytes a pixel (red, green, blue, texture), and what is missing. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly hole: Hole;
}

export function toLevel({ width, height, data }: Raster, hole: Hole): Level {
  const count = width * height;
  const { kernels, blocks } = workspace({
    image: ['bytes', data.length],
    hole: ['bytes', count],
    pixels: ['bytes', count * 4],
  });
  blocks.image.view.set(data);
  blocks.hole.view.set(hole.data);
  kernels.fillLoad(blocks.image.at, blocks.hole.at, count, blocks.pixels.at);
  return { width, height, pixels: blocks.pixels.view.slice(), hole };
}

/** The photograph with the level's pixels in its hole. */
export function fromLevel({ pixels, hole }: Level, { width, height, data }: Raster): Raster {
  const { kernels, blocks } = workspace({
    image: ['bytes', data.length],
    hole: ['bytes', hole.data.length],
    pixels: ['bytes', pixels.length],
  });
  blocks.image.view.set(data);
  blocks.hole.view.set(hole.data);
  blocks.pixels.view.set(pixels);
  kernels.fillStore(blocks.pixels.at, blocks.hole.at, width * height, blocks.image.at);
  return createRaster(width, height, blocks.image.view.slice());
}

/**
 * Half the size. Only known pixels are averaged, so that nothing of the object seeps into the coarse levels. A pixel
 * stays known when more than `knownShare` of its four are.
 */
export function halve({ width, height, pixels, hole }: Level, { knownShare = 0.5 } = {}): Level {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  const { kernels, blocks } = workspace({
    pixels: ['bytes', pixels.length],
    hole: ['bytes', hole.data.length],
    halfPixels: ['bytes', w * h * 4],
    halfHole: ['bytes', w * h],
  });
  const { halfPixels, halfHole } = blocks;
  blocks.pixels.view.set(pixels);
  blocks.hole.view.set(hole.data);
  kernels.fillHalve(blocks.pixels.at, blocks.hole.at, width, height, knownShare, halfPixels.at, halfHole.at);
  return {
    width: w,
    height: h,
    pixels: halfPixels.view.slice(),
    hole: { width: w, height: h, data: halfHole.view.slice() },
  };
}

/**
 * Writes the texture channel: the mean absolute difference of neighbouring known pixels around each pixel, after Newson
 * et al. 2014. On coarse levels lawn and wall may look alike; this keeps them apart.
 */
export function writeTexture({ width, height, pixels, hole }: Level, { reachPx = 6, gain = 4 } = {}): void {
  // Summed-area tables; both fit in 32 bits up to five megapixels, five times the largest level they are made for.
  const entries = (width + 1) * (height + 1) + 4;
  const { kernels, blocks } = workspace({
    pixels: ['bytes', pixels.length],
    hole: ['bytes', hole.data.length],
    sums: ['integers', entries],
    counts: ['integers', entries],
  });
  const { sums, counts } = blocks;
  blocks.pixels.view.set(pixels);
  blocks.hole.view.set(hole.data);
  // The first row and column; the others are written.
  sums.view.fill(0, 0, width + 2);
  counts.view.fill(0, 0, width + 2);
  kernels.fillTexture(blocks.pixels.at, blocks.hole.at, width, height, sums.at, counts.at, reachPx, gain);
  pixels.set(blocks.pixels.view);
}
