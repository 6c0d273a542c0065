import type { Preprocessing } from '../../contracts/model-record.ts';
import type { Raster } from '../../image/raster.ts';
import type { Prepared } from '../define.ts';

const float32 = new Float32Array(1);
const bits = new Uint32Array(float32.buffer);

/** IEEE 754 half precision, round to nearest even, as PyTorch's and NumPy's cast from float32. */
export function toHalf(value: number): number {
  float32[0] = value;
  const word = bits[0];
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude >= 0x7f800000) return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00);
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  const exponent = (magnitude >>> 23) - 127;
  if (exponent < -25) return sign;
  // Below 2⁻¹⁴ the implicit one becomes explicit and moves right.
  const mantissa = exponent < -14 ? (magnitude & 0x7fffff) | 0x800000 : magnitude - 0x38000000;
  const shift = exponent < -14 ? -1 - exponent : 13;
  const half = mantissa >>> shift;
  const rest = mantissa & ((1 << shift) - 1);
  const middle = 1 << (shift - 1);
  return sign | (rest > middle || (rest === middle && half & 1) ? half + 1 : half);
}

export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

type Values = Pick<Preprocessing, 'scale' | 'mean' | 'std' | 'type'>;

/**
 * The value of every 8-bit level in one channel. Each step is rounded to float32, as `ToTensor` and `Normalize` do, so
 * the tensor equals torchvision's to the bit.
 */
function levels({ scale, mean, std, type }: Values, channel: number, max: number): Prepared {
  const table =
    type === 'uint8' ? new Uint8Array(256) : type === 'float16' ? new Uint16Array(256) : new Float32Array(256);
  for (let level = 0; level < 256; level++) {
    if (type === 'uint8') {
      table[level] = level;
      continue;
    }
    const unit = Math.fround(scale === 'max' ? level / max : scale === 1 / 255 ? level / 255 : level * scale);
    const value = Math.fround(Math.fround(unit - Math.fround(mean[channel])) / Math.fround(std[channel]));
    table[level] = type === 'float16' ? toHalf(value) : value;
  }
  return table;
}

/** From an 8-bit picture to the numbers a network takes: scale, normalise, channel order, layout, type. */
export function tensorMaker(preprocessing: Preprocessing): (image: Raster) => Prepared {
  const { channels, layout, scale, type } = preprocessing;
  const count = channels === 'L' ? 1 : 3;
  const tablesFor = (max: number) => Array.from({ length: count }, (_, c) => levels(preprocessing, c, max));
  const fixed = scale === 'max' ? undefined : tablesFor(255);
  const allocate = (length: number): Prepared =>
    type === 'uint8' ? new Uint8Array(length) : type === 'float16' ? new Uint16Array(length) : new Float32Array(length);
  return ({ width, height, data }) => {
    const tables = fixed ?? tablesFor(largest(data));
    const pixels = width * height;
    const tensor = allocate(pixels * count);
    if (channels === 'L') {
      // Pillow's convert('L'), ITU-R 601-2 in 16-bit fixed point.
      const [table] = tables;
      for (let i = 0, at = 0; i < pixels; i++, at += 3)
        tensor[i] = table[(data[at] * 19595 + data[at + 1] * 38470 + data[at + 2] * 7471 + 0x8000) >> 16];
      return tensor;
    }
    const planar = layout === 'NCHW';
    for (let channel = 0; channel < 3; channel++) {
      const table = tables[channel];
      const step = planar ? 1 : 3;
      let to = planar ? channel * pixels : channel;
      for (let from = channels === 'BGR' ? 2 - channel : channel; from < pixels * 3; from += 3, to += step)
        tensor[to] = table[data[from]];
    }
    return tensor;
  };
}

function largest(data: Uint8Array): number {
  let max = 0;
  for (const value of data) if (value > max) max = value;
  // A black picture stays black.
  return max || 1;
}
