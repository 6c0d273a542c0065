import type { Raster } from './raster.ts';

export interface TensorOptions {
  layout?: 'NCHW' | 'NHWC';
  channels?: 'RGB' | 'BGR';
  /** Pixels are multiplied by it; 1/255 is torchvision's ToTensor. */
  scale?: number;
  /** In RGB order. */
  mean?: readonly [number, number, number];
  std?: readonly [number, number, number];
  type?: 'float32' | 'float16' | 'uint8';
}

export type TensorData = Float32Array | Uint16Array | Uint8Array;

/** Bit-equal to torchvision's ToTensor and Normalize: every step is rounded to single precision. `float16` is held as bits. */
export function toTensor(
  image: Raster,
  options: TensorOptions = {},
  into?: { data: TensorData; offset: number },
): TensorData {
  const { layout = 'NCHW', channels = 'RGB', type = 'float32' } = options;
  const n = image.width * image.height;
  const out = into?.data ?? new { float32: Float32Array, float16: Uint16Array, uint8: Uint8Array }[type](n * 3);
  const base = into?.offset ?? 0;
  for (let c = 0; c < 3; c++) {
    const table = tableFor(options, c, type);
    const to = channels === 'RGB' ? c : 2 - c;
    if (layout === 'NCHW') for (let i = 0; i < n; i++) out[base + to * n + i] = table[image.data[i * 3 + c]];
    else for (let i = 0; i < n; i++) out[base + i * 3 + to] = table[image.data[i * 3 + c]];
  }
  return out;
}

const f32 = Math.fround;

function tableFor(
  { scale = 1 / 255, mean = [0, 0, 0], std = [1, 1, 1] }: TensorOptions,
  c: number,
  type: string,
): TensorData {
  if (type === 'uint8') return Uint8Array.from({ length: 256 }, (_, i) => i);
  const values = Float32Array.from({ length: 256 }, (_, i) => {
    const x = scale === 1 / 255 ? f32(i / 255) : f32(i * f32(scale));
    return f32(f32(x - f32(mean[c])) / f32(std[c]));
  });
  return type === 'float32' ? values : Uint16Array.from(values, toFloat16);
}

const view = new DataView(new ArrayBuffer(4));

/** Bits of the nearest half-precision number, ties to even. */
export function toFloat16(value: number): number {
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const e = exponent - 112;
  if (e >= 31) return sign | 0x7c00;
  if (e <= 0) {
    if (e < -10) return sign;
    const full = fraction | 0x800000;
    const drop = 14 - e;
    const kept = full >>> drop;
    const rest = full & ((1 << drop) - 1);
    const half = 1 << (drop - 1);
    return sign | (kept + (rest > half || (rest === half && kept & 1) ? 1 : 0));
  }
  const kept = (e << 10) | (fraction >>> 13);
  const rest = fraction & 0x1fff;
  return sign | (kept + (rest > 0x1000 || (rest === 0x1000 && kept & 1) ? 1 : 0));
}
