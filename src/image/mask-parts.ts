import type { Mask } from './raster.ts';

/** 4: parts touch along edges; 8: corners count too. */
export interface ConnectivityOptions {
  connectivity?: 4 | 8;
}

export interface Components {
  /** 0 background, then 1 … count in reading order of each part's first pixel. */
  readonly labels: Int32Array;
  readonly count: number;
  /** Pixels of part `i` at `i`; `areas[0]` is the background. */
  readonly areas: Int32Array;
}

/** Connected parts of the object. */
export function components(mask: Mask, { connectivity = 8 }: ConnectivityOptions = {}): Components {
  const runs = connectedRuns(mask, 255, connectivity);
  const labels = new Int32Array(mask.data.length);
  const labelOf = new Int32Array(runs.count);
  const areas: number[] = [0];
  let inside = 0;
  for (let r = 0; r < runs.count; r++) {
    const root = rootOf(runs.parents, r);
    if (root === r) labelOf[r] = areas.push(0) - 1;
    const [start, end] = [runs.starts[r], runs.ends[r]];
    labels.fill(labelOf[root], start, end);
    areas[labelOf[root]] += end - start;
    inside += end - start;
  }
  areas[0] = mask.data.length - inside;
  return { labels, count: areas.length - 1, areas: Int32Array.from(areas) };
}

/** Parts of at least `minShare` of the largest one's area; the largest always stays. */
export function largestParts(
  mask: Mask,
  { minShare = 0.1, connectivity = 8 }: { minShare?: number } & ConnectivityOptions = {},
): Mask {
  const { starts, ends, parents, count } = connectedRuns(mask, 255, connectivity);
  const areas = new Int32Array(count);
  let largest = 0;
  for (let r = 0; r < count; r++) {
    const root = rootOf(parents, r);
    areas[root] += ends[r] - starts[r];
    largest = Math.max(largest, areas[root]);
  }
  const data = new Uint8Array(mask.data.length);
  for (let r = 0; r < count; r++)
    if (areas[rootOf(parents, r)] >= minShare * largest) data.fill(255, starts[r], ends[r]);
  return { ...mask, data };
}

/** Background that cannot be reached from the image's edge, by steps along edges, becomes object. */
export function fillHoles(mask: Mask): Mask {
  const { width, data: given } = mask;
  const { starts, ends, parents, count } = connectedRuns(mask, 0, 4);
  const outside = new Uint8Array(count);
  for (let r = 0; r < count; r++) {
    const atEdge = starts[r] < width || ends[r] > given.length - width;
    if (atEdge || starts[r] % width === 0 || ends[r] % width === 0) outside[rootOf(parents, r)] = 1;
  }
  const data = new Uint8Array(given.length).fill(255);
  for (let r = 0; r < count; r++) if (outside[rootOf(parents, r)]) data.fill(0, starts[r], ends[r]);
  return { ...mask, data };
}

/** Stretches of one value along the rows, in reading order; parts are trees whose root is their first run. */
interface Runs {
  readonly starts: Int32Array;
  /** Past the last pixel. */
  readonly ends: Int32Array;
  readonly parents: Int32Array;
  readonly count: number;
}

function connectedRuns({ width, height, data }: Mask, value: 0 | 255, connectivity: 4 | 8): Runs {
  const starts: number[] = [];
  const ends: number[] = [];
  const parents: number[] = [];
  const reach = connectivity === 8 ? 1 : 0;
  let above = 0;
  let aboveEnd = 0;
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const first = starts.length;
    for (let from = row.indexOf(value); from >= 0; ) {
      const other = row.indexOf(255 - value, from);
      const to = other < 0 ? width : other;
      const start = y * width + from;
      const end = y * width + to;
      const index = starts.length;
      starts.push(start);
      ends.push(end);
      parents.push(index);
      // Runs of the row above that end before this one begins touch no later one either.
      while (above < aboveEnd && ends[above] + width + reach <= start) above++;
      for (let r = above; r < aboveEnd && starts[r] + width < end + reach; r++) join(parents, index, r);
      from = to < width ? row.indexOf(value, to) : -1;
    }
    above = first;
    aboveEnd = starts.length;
  }
  return {
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    parents: Int32Array.from(parents),
    count: starts.length,
  };
}

function rootOf(parents: Int32Array | number[], r: number): number {
  let root = r;
  while (parents[root] !== root) root = parents[root];
  for (let next = parents[r]; parents[r] !== root; r = next, next = parents[r]) parents[r] = root;
  return root;
}

function join(parents: number[], a: number, b: number): void {
  const [x, y] = [rootOf(parents, a), rootOf(parents, b)];
  if (x < y) parents[y] = x;
  else parents[x] = y;
}
