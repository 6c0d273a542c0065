import { begin, look, put, take } from './kernels/arena.ts';
import type { Raster } from './raster.ts';

export interface TensorLayout {
  layout?: 'NCHW' | 'NHWC';
  /** Order of the channels in the output. */
  channels?: 'RGB' | 'BGR';
}

export interface TensorOptions extends TensorLayout {
  /** Pixels are multiplied by it; 1/255 is torchvision's `ToTensor`. */
  scale?: number;
  /** Of red, green and blue, whatever the order of the output. */
  mean?: readonly [number, number, number];
  std?: readonly [number, number, number];
  type?: 'float32' | 'float16' | 'uint8';
}

/** `float16` is held as its bits. */
export type TensorData = Float32Array | Uint16Array | Uint8Array;

/** Where a tensor goes: values from `offset` on; a batch is filled picture by picture. */
export interface TensorTarget {
  data: TensorData;
  offset: number;
}

const arrays = { float32: Float32Array, float16: Uint16Array, uint8: Uint8Array };

/**
 * Each channel's 256 levels as the numbers a network takes, red's first, bit-equal to torchvision's `ToTensor` and
 * `Normalize`: every step is rounded to single precision. `uint8` leaves the levels as they are.
 */
export function levelTables({
  scale = 1 / 255,
  mean = [0, 0, 0],
  std = [1, 1, 1],
  type = 'float32',
}: TensorOptions): TensorData {
  const f32 = Math.fround;
  const tables = new arrays[type](768);
  for (let c = 0; c < 3; c++) {
    for (let level = 0; level < 256; level++) {
      // x / 255 and x · (1/255) are not the same numbers; ToTensor divides.
      const unit = scale === 1 / 255 ? f32(level / 255) : f32(level * f32(scale));
      const value = f32(f32(unit - f32(mean[c])) / f32(std[c]));
      tables[c * 256 + level] = type === 'uint8' ? level : type === 'float16' ? toFloat16(value) : value;
    }
  }
  return tables;
}

/** A picture's tensor from its level tables (768 values). */
export function tensorFromTables(
  image: Raster,
  tables: TensorData,
  { layout = 'NCHW', channels = 'RGB' }: TensorLayout = {},
  into?: TensorTarget,
): TensorData {
  const { tensor } = begin();
  const source = put(image.data);
  const pixels = image.width * image.height;
  return writeTensor(pixels, tables, { layout, channels }, into, (...spread) => tensor(source, pixels, ...spread));
}

/** Hands the kernel that writes a tensor its tables, its room and its layout, and takes out what it wrote. */
export function writeTensor(
  pixels: number,
  tables: TensorData,
  { layout = 'NCHW', channels = 'RGB' }: TensorLayout,
  into: TensorTarget | undefined,
  run: (tables: number, size: number, target: number, planes: number, step: number, swap: number) => void,
): TensorData {
  const size = tables.BYTES_PER_ELEMENT;
  const values = put(tables);
  const target = take(pixels * 3 * size);
  const [planes, step] = layout === 'NCHW' ? [pixels * size, size] : [size, 3 * size];
  run(values, size, target, planes, step, channels === 'BGR' ? 1 : 0);
  const { data, offset } = into ?? { data: sameType(tables, pixels * 3), offset: 0 };
  new Uint8Array(data.buffer, data.byteOffset + offset * size).set(look(target, pixels * 3 * size));
  return data;
}

function sameType(tables: TensorData, length: number): TensorData {
  const { buffer } = Buffer.allocUnsafeSlow(length * tables.BYTES_PER_ELEMENT);
  if (tables instanceof Float32Array) return new Float32Array(buffer);
  return tables instanceof Uint16Array ? new Uint16Array(buffer) : new Uint8Array(buffer);
}

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

/** Bits of the nearest half-precision number, ties to even. */
export function toFloat16(value: number): number {
  single[0] = value;
  const sign = (word[0] >>> 16) & 0x8000;
  const exponent = (word[0] >>> 23) & 0xff;
  const fraction = word[0] & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const scaled = exponent - 112;
  if (scaled >= 31) return sign | 0x7c00;
  if (scaled < -10) return sign;
  // Subnormal halves keep the leading one and lose more digits.
  const full = scaled <= 0 ? fraction | 0x800000 : (scaled << 23) | fraction;
  const drop = scaled <= 0 ? 14 - scaled : 13;
  const kept = full >>> drop;
  const rest = full & ((1 << drop) - 1);
  const half = 1 << (drop - 1);
  // Rounding up may carry into the exponent, and into infinity: both are the right result.
  return sign | (kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0));
}

/** The number that these bits of a half-precision float stand for. */
export function fromFloat16(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
