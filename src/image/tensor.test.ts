import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash, picture } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import {
  levelTables,
  type TensorData,
  type TensorOptions,
  type TensorTarget,
  tensorFromTables,
  toFloat16,
} from './tensor.ts';

const image = picture(37, 29, 6);
const bits = (data: TensorData) => hash(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));

const tensorOf = (options: TensorOptions = {}, into?: TensorTarget) =>
  tensorFromTables(image, levelTables(options), options, into);

describe('the tensor of a picture', () => {
  it.each(reference.tensor as { options: TensorOptions; bits: string }[])(
    '$options to the bit',
    ({ options, bits: right }) => {
      expect(bits(tensorOf(options))).toBe(right);
    },
  );

  it('tells a swapped mean and swapped channels apart', () => {
    const { options, bits: right } = reference.tensor[0] as { options: Required<TensorOptions>; bits: string };
    const [r, g, b] = options.mean;
    expect(bits(tensorOf({ ...options, mean: [b, g, r] }))).not.toBe(right);
    expect(bits(tensorOf({ ...options, channels: 'BGR' }))).not.toBe(right);
    expect(bits(tensorOf({ ...options, scale: 1 / 256 }))).not.toBe(right);
  });

  it('fills a batch picture by picture', () => {
    const n = 37 * 29 * 3;
    const data = new Float32Array(3 * n);
    tensorOf({}, { data, offset: n });
    expect(data.subarray(n, 2 * n)).toEqual(tensorOf());
    expect(data.subarray(0, n).every((v) => v === 0) && data.subarray(2 * n).every((v) => v === 0)).toBe(true);
  });
});

describe('toFloat16', () => {
  it('is the nearest half, ties to even, as NumPy', () => {
    for (const [value, half] of reference.float16 as [number, number][])
      expect(toFloat16(value), `${value}`).toBe(half);
  });

  it('gives back every half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), (half) => {
        const exponent = (half >> 10) & 31;
        fc.pre(exponent !== 31);
        const fraction = half & 1023;
        const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
        expect(toFloat16(half & 0x8000 ? -size : size)).toBe(half);
      }),
    );
  });
});
