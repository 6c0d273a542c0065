import { keepLast } from './keep-last.ts';
import { begin, integers, put, take } from './kernels/arena.ts';
import type { Coefficients } from './resize-coefficients.ts';
import { columnGroups, secondWeights } from './two-taps.ts';

/** Whole pixels of the output. */
export interface Window {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Rows in the kernels' memory of which the output's rows are made. */
export interface MadeColumns {
  readonly at: number;
  readonly stride: number;
  /** Undefined: they are the output's rows already. */
  readonly rows: Part | undefined;
}

/** The first pass, in the kernels' memory: a window's columns, in all rows that its rows are made of. Begins an operation. */
export function resampleColumns(
  source: Plane,
  channels: 1 | 3,
  columns: Coefficients | undefined,
  rows: Coefficients | undefined,
  window: Window,
): MadeColumns {
  const kernel = begin();
  const across = rows && partOf(rows, window.y, window.height);
  const firstRow = across ? across.least : window.y;
  const endRow = across ? Math.min(source.height, across.most + 2 * across.pairs) : window.y + window.height;
  const count = endRow - firstRow;
  const sourceStride = source.width * channels;
  const spareRows = across ? Math.max(0, 2 * across.pairs - count) : 0;
  const strip = source.data.subarray(firstRow * sourceStride, endRow * sourceStride);
  if (!columns) {
    const at = put(strip, sourceStride * spareRows) + window.x * channels;
    return { at, stride: sourceStride, rows: across };
  }
  const part = partOf(columns, window.x, window.width);
  const from = put(strip, Math.max(0, 2 * part.pairs - source.width) * channels);
  const groups = channels === 3 && across ? part.groups() : undefined;
  if (groups) {
    const stride = (window.width * 3 + 7) & ~7;
    const groupsAt = put(groups);
    const at = take(stride * count, stride * spareRows);
    kernel.twoTapColumns(from, sourceStride, at, stride, count, groupsAt, stride >> 3);
    return { at, stride, rows: across };
  }
  const stride = window.width * channels;
  const offsets = put(part.first.map((first) => first * channels));
  const weights = put(part.weights);
  const at = take(stride * count, stride * spareRows);
  const pass = channels === 3 ? kernel.resampleColumns3 : kernel.resampleColumns1;
  pass(from, sourceStride, at, stride, count, window.width, offsets, part.pairs, weights);
  return { at, stride, rows: across };
}

/** What the second pass needs beside its rows: the first source row of each, and its weights. */
export function putRows({ first, least, pairs, weights, seconds }: Part) {
  const firsts = take(first.length * 4);
  const starts = integers(firsts, first.length);
  for (let i = 0; i < starts.length; i++) starts[i] = first[i] - least;
  const twoTaps = seconds();
  return twoTaps ? ([firsts, pairs, 0, put(twoTaps)] as const) : ([firsts, pairs, put(weights), 0] as const);
}

type Part = ReturnType<typeof makePart>;
/** One direction of a window: its own part of the tables, and the least and most of its first pixels. */
const partOf = keepLast(16, makePart);

function makePart(all: Coefficients, from: number, length: number) {
  const { pairs, weights } = all;
  const first = all.first.subarray(from, from + length);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < first.length; i++) {
    if (first[i] < least) least = first[i];
    if (first[i] > most) most = first[i];
  }
  return {
    pairs,
    first,
    weights: weights.subarray(from * pairs * 4, (from + length) * pairs * 4),
    least,
    most,
    /** For two taps a pixel alone: see `two-taps.ts`. */
    groups: once(() => columnGroups(all, from, length)),
    seconds: once(() => secondWeights(all)?.subarray(from * 2, (from + length) * 2)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
