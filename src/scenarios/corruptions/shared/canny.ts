import { nearest } from './border.ts';

const low = 50;
const high = 150;
/** tan 22.5° in units of 2⁻¹⁵, OpenCV's fixed point. */
const tangent = 13573;

/**
 * Edges of a grey picture, 255 on an edge: Canny (1986) as OpenCV has it with thresholds 50 and 150, a 3 × 3 Sobel
 * operator and |dx| + |dy| for the magnitude.
 */
export function cannyEdges(data: Uint8Array, width: number, height: number): Uint8Array {
  const { dx, dy, magnitude } = sobel(data, width, height);
  const out = new Uint8Array(data.length);
  const candidate = new Uint8Array(data.length);
  const stack: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const at = magnitudeIndex(x, y, width);
      if (magnitude[at] <= low || !isPeak(magnitude, at, width + 2, dx[i], dy[i])) continue;
      candidate[i] = 1;
      if (magnitude[at] > high) {
        out[i] = 255;
        stack.push(i);
      }
    }
  }
  while (stack.length > 0) {
    const i = stack.pop()!;
    const x = i % width;
    const y = (i - x) / width;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const j = v * width + u;
        if (candidate[j] === 0 || out[j] !== 0) continue;
        out[j] = 255;
        stack.push(j);
      }
    }
  }
  return out;
}

/** Magnitudes stand in a frame of zeros, one pixel wide. */
const magnitudeIndex = (x: number, y: number, width: number) => (y + 1) * (width + 2) + x + 1;

function isPeak(magnitude: Int32Array, at: number, stride: number, dx: number, dy: number): boolean {
  const value = magnitude[at];
  const across = Math.abs(dx) * tangent;
  const along = Math.abs(dy) * 32768;
  if (along < across) return value > magnitude[at - 1] && value >= magnitude[at + 1];
  if (along > across + Math.abs(dx) * 65536) return value > magnitude[at - stride] && value >= magnitude[at + stride];
  const side = (dx ^ dy) < 0 ? -1 : 1;
  return value > magnitude[at - stride - side] && value > magnitude[at + stride + side];
}

function sobel(data: Uint8Array, width: number, height: number) {
  const dx = new Int32Array(data.length);
  const dy = new Int32Array(data.length);
  const magnitude = new Int32Array((width + 2) * (height + 2));
  for (let y = 0; y < height; y++) {
    const up = nearest(y - 1, height) * width;
    const row = y * width;
    const down = nearest(y + 1, height) * width;
    for (let x = 0; x < width; x++) {
      const left = nearest(x - 1, width);
      const right = nearest(x + 1, width);
      const i = row + x;
      const fall = data[down + right] - data[up + left];
      const rise = data[up + right] - data[down + left];
      dx[i] = fall + rise + 2 * (data[row + right] - data[row + left]);
      dy[i] = fall - rise + 2 * (data[down + x] - data[up + x]);
      magnitude[magnitudeIndex(x, y, width)] = Math.abs(dx[i]) + Math.abs(dy[i]);
    }
  }
  return { dx, dy, magnitude };
}
