import type { Random } from '../../contracts/random.ts';
import type { Level } from './pyramid.ts';
import type { Block, FillKernels } from './workspace.ts';

interface PeelOptions {
  readonly level: Level;
  readonly side: number;
  readonly random: Random;
  readonly kernels: FillKernels;
  readonly pixels: Block<Uint8Array>;
  /** Four bytes a pixel, to work in. */
  readonly asked: Block<Uint8Array>;
  readonly sources: Block<Int32Array>;
  /** −1 everywhere. */
  readonly nearest: Block<Int32Array>;
  /** An integer a pixel, to work in. */
  readonly places: Block<Int32Array>;
  readonly missing: Int32Array;
  /** Thirds of a pixel to the nearest known pixel. */
  readonly depth: Int32Array;
}

/** Patch comparisons spent on the first guess. */
const budget = 600_000;

/**
 * The first guess on the coarsest level: ring by ring from the rim inwards, each missing pixel is copied from the patch
 * that looks most like what is known, or already guessed, around it. Also starts the search with those patches.
 */
export function peel(options: PeelOptions): void {
  const { level, side, random, kernels, pixels, asked, sources, nearest, places, missing, depth } = options;
  const { width, height, hole } = level;
  const half = side >> 1;
  const pixelAsked = new Int32Array(asked.view.buffer, asked.at, hole.data.length);
  for (let i = 0; i < hole.data.length; i++) pixelAsked[i] = hole.data[i] ? 0 : -1;
  const stride = Math.max(1, Math.ceil((sources.view.length * missing.length) / budget));
  places.view.fill(-1);
  for (let i = 0; i < sources.view.length; i++) {
    const source = sources.view[i];
    places.view[(source >> 16) * width + (source & 0xffff)] = i;
  }
  const inwards = byDepth(missing, depth);
  const colours = new Int32Array(inwards.length);
  const colourAt = new Int32Array(pixels.view.buffer, pixels.at, hole.data.length);
  for (let start = 0, end = 0; start < inwards.length; start = end) {
    while (end < inwards.length && depth[inwards[end]] < depth[inwards[start]] + 3) end++;
    for (let k = start; k < end; k++) {
      const pixel = inwards[k];
      const x = Math.min(Math.max((pixel % width) - half, 0), width - side);
      const y = Math.min(Math.max(Math.floor(pixel / width) - half, 0), height - side);
      const patch = y * width + x;
      const first = random.integer(0, Math.min(stride, sources.view.length) - 1);
      const source = kernels.fillNearest(
        pixels.at,
        asked.at,
        width,
        height,
        side,
        patch,
        nearest.at,
        places.at,
        sources.at,
        sources.view.length,
        first,
        stride,
      );
      nearest.view[patch] = source;
      const from = (source >> 16) * width + (source & 0xffff) + pixel - patch;
      colours[k] = colourAt[from];
    }
    for (let k = start; k < end; k++) {
      colourAt[inwards[k]] = colours[k];
      pixelAsked[inwards[k]] = -1;
    }
  }
}

/** Those nearest to the rim first, in their order where they are equally near. */
function byDepth(missing: Int32Array, depth: Int32Array): Int32Array {
  let deepest = 0;
  for (const i of missing) deepest = Math.max(deepest, depth[i]);
  const starts = new Int32Array(deepest + 2);
  for (const i of missing) starts[depth[i] + 1]++;
  for (let d = 0; d <= deepest; d++) starts[d + 1] += starts[d];
  const sorted = new Int32Array(missing.length);
  for (const i of missing) sorted[starts[depth[i]]++] = i;
  return sorted;
}
