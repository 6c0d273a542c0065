import type { Coefficients } from './resize-coefficients.ts';

// Enlarging bilinearly, a pixel is made of two, whose weights add up to one: kernels for that alone take half the time.

const one = 1 << 22;
const groupBytes = 80;

/** The second tap's weight of every output as the kernels take it, high · 2⁷ + low; undefined where there are more taps. */
export function secondWeights({ pairs, first, weights }: Coefficients): Int16Array | undefined {
  if (pairs !== 1) return undefined;
  const split = new Int16Array(first.length * 2);
  for (let i = 0; i < first.length; i++) {
    const [high0, high1, low0, low1] = weights.subarray(i * 4, i * 4 + 4);
    const second = high1 * 2048 + low1;
    if (high0 * 2048 + low0 + second !== one || second < 0 || second > one) return undefined;
    const high = Math.min(32767, second >> 7);
    split.set([high, second - high * 128], i * 2);
  }
  return split;
}

/** What `twoTapColumns` needs for outputs `from` … `from + length` of three channels; undefined where it cannot make them. */
export function columnGroups(columns: Coefficients, from: number, length: number): Uint8Array | undefined {
  const split = secondWeights(columns);
  if (!split) return undefined;
  const count = Math.ceil((length * 3) / 8);
  const groups = new Uint8Array(count * groupBytes);
  const view = new DataView(groups.buffer);
  const outputAt = (value: number) => from + Math.min(length - 1, Math.floor(value / 3));
  for (let g = 0; g < count; g++) {
    const at = g * groupBytes;
    const start = columns.first[outputAt(g * 8)] * 3;
    view.setUint32(at, start, true);
    for (let k = 0; k < 8; k++) {
      const output = outputAt(g * 8 + k);
      const tap = columns.first[output] * 3 + ((g * 8 + k) % 3) - start;
      if (tap < 0 || tap + 3 > 15) return undefined;
      // A byte becomes a word: the upper half is picked from nowhere.
      groups.set([tap, 128], at + 16 + 2 * k);
      groups.set([tap + 3, 128], at + 32 + 2 * k);
      for (const half of [0, 1]) view.setInt16(at + 48 + 4 * k + 2 * half, split[output * 2 + half], true);
    }
  }
  return groups;
}
