import { begin, get, integers, look, put, take } from '../../../image/kernels/arena.ts';
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
  const { motionRow } = begin();
  const taps = motionTaps(radiusPx, sigmaPx, angleDegrees);
  const length = width * channels;
  const margin = taps.length * channels;
  const stride = length + 2 * margin;
  const [rows, out] = [take(stride * height), take(data.length)];
  const weights = put(Float64Array.from(taps, ({ weight }) => weight));
  const addresses = take(4 * taps.length);
  pad(look(rows, stride * height), data, margin, channels, length);
  const under = integers(addresses, taps.length);
  for (let y = 0; y < height; y++) {
    for (let k = 0; k < taps.length; k++)
      under[k] = rows + nearest(y + taps[k].y, height) * stride + margin + taps[k].x * channels;
    motionRow(addresses, weights, taps.length, out + y * length, length);
  }
  return get(out, data.length);
}

/** Rows continued on both sides by their outermost pixels. */
function pad(padded: Uint8Array, data: Uint8Array, margin: number, channels: number, length: number): void {
  for (let from = 0, row = margin; from < data.length; from += length, row += length + 2 * margin) {
    padded.set(data.subarray(from, from + length), row);
    for (let i = 0; i < margin; i++) {
      padded[row - margin + i] = data[from + (i % channels)];
      padded[row + length + i] = data[from + length - channels + (i % channels)];
    }
  }
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
