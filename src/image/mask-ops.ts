import { createMask, type Mask } from './raster.ts';

export interface BoundingBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Pixels of the object. */
export function area(mask: Mask): number {
  let n = 0;
  for (let i = 0; i < mask.data.length; i++) n += mask.data[i] & 1;
  return n;
}

/** Object pixels over all pixels. */
export const areaShare = (mask: Mask): number => area(mask) / mask.data.length;

/** Smallest rectangle around the object; zero width and height where the mask is empty. */
export function boundingBox({ width, height, data }: Mask): BoundingBox {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const first = row.findIndex((v) => v !== 0);
    if (first < 0) continue;
    let last = width - 1;
    while (row[last] === 0) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

export interface Components {
  /** 0 background, 1 … count in reading order of each part's first pixel. */
  readonly labels: Int32Array;
  readonly count: number;
  /** Pixels of part `i` at `i`; `areas[0]` is the background. */
  readonly areas: Int32Array;
}

export interface ConnectivityOptions {
  connectivity?: 4 | 8;
}

/** Connected parts of the object. */
export function components({ width, height, data }: Mask, { connectivity = 8 }: ConnectivityOptions = {}): Components {
  const labels = new Int32Array(data.length);
  const areas: number[] = [0];
  const stack = new Int32Array(data.length);
  for (let start = 0; start < data.length; start++) {
    if (data[start] === 0 || labels[start] !== 0) continue;
    const label = areas.length;
    let n = 0;
    let top = 0;
    stack[top++] = start;
    labels[start] = label;
    while (top > 0) {
      const i = stack[--top];
      n++;
      const x = i % width;
      const y = (i - x) / width;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if ((dx === 0 && dy === 0) || (connectivity === 4 && dx !== 0 && dy !== 0)) continue;
          if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
          const j = i + dy * width + dx;
          if (data[j] === 0 || labels[j] !== 0) continue;
          labels[j] = label;
          stack[top++] = j;
        }
      }
    }
    areas.push(n);
  }
  areas[0] = data.length - areas.reduce((sum, n) => sum + n, 0);
  return { labels, count: areas.length - 1, areas: Int32Array.from(areas) };
}

/** Parts of at least `minShare` of the largest one's area; the largest always stays. */
export function largestParts(
  mask: Mask,
  { minShare = 0.1, connectivity = 8 }: { minShare?: number } & ConnectivityOptions = {},
): Mask {
  const { labels, areas } = components(mask, { connectivity });
  let largest = 0;
  for (let i = 1; i < areas.length; i++) largest = Math.max(largest, areas[i]);
  const data = mask.data.map((v, i) => (v !== 0 && areas[labels[i]] >= minShare * largest ? 255 : 0));
  return { ...mask, data };
}

/** Background that cannot be reached from the image's edge becomes object. */
export function fillHoles(mask: Mask, { connectivity = 4 }: ConnectivityOptions = {}): Mask {
  const { width, height } = mask;
  const outside = createMask(
    width,
    height,
    mask.data.map((v) => (v === 0 ? 255 : 0)),
  );
  const { labels, areas } = components(outside, { connectivity });
  const open = new Uint8Array(areas.length);
  for (let x = 0; x < width; x++) open[labels[x]] = open[labels[(height - 1) * width + x]] = 1;
  for (let y = 0; y < height; y++) open[labels[y * width]] = open[labels[y * width + width - 1]] = 1;
  const data = mask.data.map((v, i) => (v !== 0 || open[labels[i]] === 0 ? 255 : 0));
  return { ...mask, data };
}

export interface MorphologyOptions {
  /** Pixels; fractions count for a disc. */
  radius: number;
  /** `disc`: every pixel whose centre is within the radius; `square`: side 2·radius + 1. */
  shape?: 'disc' | 'square';
}

/** The object grown; what lies outside the image is background. */
export function dilate(mask: Mask, { radius, shape = 'disc' }: MorphologyOptions): Mask {
  return { ...mask, data: grow(mask, 255, radius, shape) };
}

/** The object shrunk; what lies outside the image does not eat at it. */
export function erode(mask: Mask, { radius, shape = 'disc' }: MorphologyOptions): Mask {
  return { ...mask, data: grow(mask, 0, radius, shape).map((v) => v) };
}

function grow({ width, height, data }: Mask, value: number, radius: number, shape: 'disc' | 'square'): Uint8Array {
  const out = data.slice();
  const reach = Math.floor(radius);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] !== value) continue;
      for (let dy = Math.max(-reach, -y); dy <= Math.min(reach, height - 1 - y); dy++) {
        const dx = shape === 'square' ? reach : Math.floor(Math.sqrt(radius * radius - dy * dy));
        const from = Math.max(0, x - dx);
        out.fill(value, (y + dy) * width + from, (y + dy) * width + Math.min(width - 1, x + dx) + 1);
      }
    }
  }
  return out;
}

/** Object pixels with a background pixel, or the image's edge, above, below, left or right of them. */
export function boundary(mask: Mask): Mask {
  const { width, height, data } = mask;
  const out = createMask(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (data[i] === 0) continue;
      const inside =
        x > 0 &&
        x < width - 1 &&
        y > 0 &&
        y < height - 1 &&
        data[i - 1] &&
        data[i + 1] &&
        data[i - width] &&
        data[i + width];
      if (!inside) out.data[i] = 255;
    }
  }
  return out;
}

/** How many of the image's four corners are object. */
export function touchesCorners({ width, height, data }: Mask): number {
  const corners = [0, width - 1, (height - 1) * width, height * width - 1];
  return corners.filter((i) => data[i] !== 0).length;
}

function overlap(a: Mask, b: Mask): { both: number; a: number; b: number } {
  let both = 0;
  let inA = 0;
  let inB = 0;
  for (let i = 0; i < a.data.length; i++) {
    if (a.ignore?.[i] || b.ignore?.[i]) continue;
    const x = a.data[i] !== 0;
    const y = b.data[i] !== 0;
    if (x) inA++;
    if (y) inB++;
    if (x && y) both++;
  }
  return { both, a: inA, b: inB };
}

/** Intersection over union; pixels either mask ignores are left out. Two empty masks agree: 1. */
export function iou(a: Mask, b: Mask): number {
  const n = overlap(a, b);
  const union = n.a + n.b - n.both;
  return union === 0 ? 1 : n.both / union;
}

/** 2 · intersection over the sum of areas, with the same exclusions. */
export function dice(a: Mask, b: Mask): number {
  const n = overlap(a, b);
  return n.a + n.b === 0 ? 1 : (2 * n.both) / (n.a + n.b);
}
