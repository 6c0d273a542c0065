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
  const { data } = mask;
  const labels = new Int32Array(data.length);
  const areas: number[] = [0];
  const stack = new Int32Array(data.length);
  let inside = 0;
  for (let start = data.indexOf(255); start >= 0; start = data.indexOf(255, start + 1)) {
    if (labels[start] !== 0) continue;
    const area = flood(mask, 255, start, labels, areas.length, connectivity, stack);
    areas.push(area);
    inside += area;
  }
  areas[0] = data.length - inside;
  return { labels, count: areas.length - 1, areas: Int32Array.from(areas) };
}

/** Labels all pixels of one value that can be reached from `start`; returns how many. Without closures: it is hot. */
function flood(
  { width, data }: Mask,
  value: number,
  start: number,
  labels: Int32Array,
  label: number,
  connectivity: 4 | 8,
  stack: Int32Array,
): number {
  let size = 1;
  let count = 0;
  stack[0] = start;
  labels[start] = label;
  while (size > 0) {
    const i = stack[--size];
    count++;
    const x = i % width;
    const from = x > 0 ? -1 : 0;
    const to = x < width - 1 ? 1 : 0;
    for (let row = i - width; row <= i + width; row += width) {
      if (row < 0 || row >= data.length) continue;
      const straight = connectivity === 4 && row !== i;
      const last = row + (straight ? 0 : to);
      for (let j = row + (straight ? 0 : from); j <= last; j++) {
        if (data[j] !== value || labels[j] !== 0) continue;
        labels[j] = label;
        stack[size++] = j;
      }
    }
  }
  return count;
}

/** Parts of at least `minShare` of the largest one's area; the largest always stays. */
export function largestParts(
  mask: Mask,
  { minShare = 0.1, connectivity = 8 }: { minShare?: number } & ConnectivityOptions = {},
): Mask {
  const { labels, areas } = components(mask, { connectivity });
  const largest = areas.subarray(1).reduce((most, area) => Math.max(most, area), 0);
  const kept = Uint8Array.from(areas, (area, label) => (label > 0 && area >= minShare * largest ? 255 : 0));
  const data = new Uint8Array(labels.length);
  for (let i = 0; i < data.length; i++) data[i] = kept[labels[i]];
  return { ...mask, data };
}

/** Background that cannot be reached from the image's edge, by steps along edges, becomes object. */
export function fillHoles(mask: Mask): Mask {
  const { width, height } = mask;
  const length = width * height;
  const outside = new Int32Array(length);
  const stack = new Int32Array(length);
  const from = (i: number) => {
    if (mask.data[i] === 0 && outside[i] === 0) flood(mask, 0, i, outside, 1, 4, stack);
  };
  for (let x = 0; x < width; x++) {
    from(x);
    from(length - width + x);
  }
  for (let y = 0; y < height; y++) {
    from(y * width);
    from(y * width + width - 1);
  }
  const data = new Uint8Array(length);
  for (let i = 0; i < length; i++) data[i] = outside[i] === 0 ? 255 : 0;
  return { ...mask, data };
}
