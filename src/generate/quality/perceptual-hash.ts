import { greyLevels } from '../../image/colour.ts';
import type { Raster } from '../../image/raster.ts';
import { resizePlane } from '../../image/resize.ts';

const side = 32;
const kept = 8;

/** cos(π (2x + 1) u / 64) for the eight lowest frequencies u. */
const cosines = Float64Array.from({ length: kept * side }, (_, i) =>
  Math.cos((Math.PI * (2 * (i % side) + 1) * Math.floor(i / side)) / (2 * side)),
);

/**
 * Sixty-four bits that stay alike when a picture is scaled, compressed or slightly recoloured (Zauner, 2010): the signs,
 * about their median, of the lowest 8 × 8 frequencies of the picture as 32 × 32 grey levels.
 */
export function perceptualHash(image: Raster): bigint {
  const grey = greyLevels(image, 'pillow');
  const small = resizePlane({ width: image.width, height: image.height, data: grey }, 1, side, side, 'lanczos');
  const rows = new Float64Array(side * kept);
  for (let y = 0; y < side; y++)
    for (let u = 0; u < kept; u++) {
      let sum = 0;
      for (let x = 0; x < side; x++) sum += small[y * side + x] * cosines[u * side + x];
      rows[y * kept + u] = sum;
    }
  const low = new Float64Array(kept * kept);
  for (let v = 0; v < kept; v++)
    for (let u = 0; u < kept; u++) {
      let sum = 0;
      for (let y = 0; y < side; y++) sum += rows[y * kept + u] * cosines[v * side + y];
      low[v * kept + u] = sum;
    }
  const sorted = Float64Array.from(low).sort();
  const median = (sorted[31] + sorted[32]) / 2;
  let bits = 0n;
  for (const value of low) bits = (bits << 1n) | (value > median ? 1n : 0n);
  return bits;
}

export function differingBits(a: bigint, b: bigint): number {
  let rest = a ^ b;
  let count = 0;
  for (; rest; rest &= rest - 1n) count++;
  return count;
}

/** For each picture the first earlier one that it hardly differs from; −1: none. Ten bits of 64 are the usual limit. */
export function nearDuplicates(hashes: readonly bigint[], { within = 6 }: { within?: number } = {}): Int32Array {
  const first = new Int32Array(hashes.length).fill(-1);
  for (let i = 1; i < hashes.length; i++) {
    for (let j = 0; j < i && first[i] < 0; j++)
      if (first[j] < 0 && differingBits(hashes[i], hashes[j]) <= within) first[i] = j;
  }
  return first;
}
