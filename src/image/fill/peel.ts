import type { Random } from '../../contracts/random.ts';

interface Peel {
  /** The missing pixels, those nearest to the rim first. */
  readonly inwards: Int32Array;
  /** Of the sources every so many is tried for a pixel, from this one on. */
  readonly stride: number;
  readonly starts: Int32Array;
}

/** Patch comparisons spent on the first guess. */
const budget = 600_000;

/** How the first guess on the coarsest level goes about; `depth` is thirds of a pixel to the nearest known pixel. */
export function planPeel(missing: Int32Array, depth: Int32Array, sourceCount: number, random: Random): Peel {
  const stride = Math.max(1, Math.ceil((sourceCount * missing.length) / budget));
  const last = Math.min(stride, sourceCount) - 1;
  const starts = new Int32Array(missing.length);
  for (let k = 0; k < starts.length; k++) starts[k] = random.integer(0, last);
  return { inwards: byDepth(missing, depth), stride, starts };
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
