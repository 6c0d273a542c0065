import { createMask, type Mask, sameSize } from './raster.ts';

export { dilate, erode } from './mask-morphology.ts';
export { components, fillHoles, largestParts } from './mask-parts.ts';

export interface BoundingBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Pixels of the object. */
export function area({ data }: Mask): number {
  let n = 0;
  let i = 0;
  if (data.byteOffset % 4 === 0) {
    // Four pixels at a time: the product's top byte is the sum of the bytes.
    const words = new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
    for (let w = 0; w < words.length; w++) n += Math.imul(words[w] & 0x01010101, 0x01010101) >>> 24;
    i = 4 * words.length;
  }
  for (; i < data.length; i++) n += data[i] & 1;
  return n;
}

/** Object pixels over all pixels. */
export const areaShare = (mask: Mask): number => area(mask) / mask.data.length;

/** Smallest rectangle around the object; all zero where the mask is empty. */
export function boundingBox({ width, data }: Mask): BoundingBox {
  const first = data.indexOf(255);
  if (first < 0) return { x: 0, y: 0, width: 0, height: 0 };
  const top = Math.floor(first / width);
  const bottom = Math.floor(data.lastIndexOf(255) / width);
  let left = width;
  let right = -1;
  for (let y = top; y <= bottom; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const low = row.indexOf(255);
    if (low < 0) continue;
    left = Math.min(left, low);
    right = Math.max(right, row.lastIndexOf(255));
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Object pixels with background, or the image's edge, above, below, left or right of them. */
export function boundary({ width, height, data }: Mask): Mask {
  const out = createMask(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i] === 0) continue;
      const atEdge = x === 0 || x === width - 1 || y === 0 || y === height - 1;
      if (atEdge || !data[i - 1] || !data[i + 1] || !data[i - width] || !data[i + width]) out.data[i] = 255;
    }
  }
  return out;
}

/** Intersection over union; pixels that either mask ignores are left out. Two empty masks agree: 1. */
export function iou(a: Mask, b: Mask): number {
  const n = overlap(a, b);
  const union = n.a + n.b - n.both;
  return union === 0 ? 1 : n.both / union;
}

function overlap(a: Mask, b: Mask): { both: number; a: number; b: number } {
  sameSize(a, b);
  const counts = { both: 0, a: 0, b: 0 };
  for (let i = 0; i < a.data.length; i++) {
    if (a.ignore?.[i] || b.ignore?.[i]) continue;
    const inA = a.data[i] & 1;
    const inB = b.data[i] & 1;
    counts.a += inA;
    counts.b += inB;
    counts.both += inA & inB;
  }
  return counts;
}
