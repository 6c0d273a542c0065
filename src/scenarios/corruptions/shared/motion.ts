import { nearest } from './border.ts';

export interface Motion {
  readonly radiusPx: number;
  readonly sigmaPx: number;
}

/**
 * ImageMagick's motion blur, equal to version 6.9.11 (16-bit quanta) byte for byte: half a Gaussian laid along a line
 * from the pixel in the direction of the angle, steps rounded to whole pixels, the edge repeated. Sums are rounded as
 * 16-bit numbers and brought to 8 bits by truncation.
 */
export function motionBlur(
  { width, height, data }: { width: number; height: number; data: Uint8Array },
  channels: number,
  { radiusPx, sigmaPx }: Motion,
  angleDegrees: number,
): Uint8Array {
  const taps = motionTaps(radiusPx, sigmaPx, angleDegrees);
  const length = width * channels;
  const margin = taps.length * channels;
  const stride = length + 2 * margin;
  const padded = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const row = y * stride + margin;
    padded.set(data.subarray(y * length, (y + 1) * length), row);
    for (let i = 0; i < margin; i++) {
      padded[row - margin + i] = data[y * length + (i % channels)];
      padded[row + length + i] = data[(y + 1) * length - channels + (i % channels)];
    }
  }
  const out = new Uint8Array(data.length);
  const sums = new Float64Array(length);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (const { x, y: down, weight } of taps) {
      const from = nearest(y + down, height) * stride + margin + x * channels;
      for (let i = 0; i < length; i++) sums[i] += weight * padded[from + i];
    }
    for (let i = 0, j = y * length; i < length; i++, j++) out[j] = Math.floor(Math.floor(sums[i] * 257 + 0.5) / 257);
  }
  return out;
}

function motionTaps(radiusPx: number, sigmaPx: number, angleDegrees: number) {
  const count = 2 * Math.ceil(radiusPx) + 1;
  const angle = (angleDegrees * Math.PI) / 180;
  const weights = Array.from({ length: count }, (_, i) => Math.exp(-(i * i) / (2 * sigmaPx * sigmaPx)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight, i) => ({
    x: Math.ceil(i * Math.cos(angle) - 0.5),
    y: Math.ceil(i * Math.sin(angle) - 0.5),
    weight: weight / sum,
  }));
}
