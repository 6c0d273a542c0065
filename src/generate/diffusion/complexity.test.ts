import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { amplitudeSum, fft2 } from '../../image/fft.ts';
import { createMask } from '../../image/raster.ts';
import { mean } from '../../stats/moments.ts';
import type { Planes } from './autoencoder.ts';
import { amplitudeGradient } from './complexity.ts';
import { moveAmplitude } from './complexity-guidance.ts';

// Made by test/fixtures/diffusion/make_amplitude.py.
const reference = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/diffusion/amplitude.json', import.meta.url), 'utf8'),
) as {
  width: number;
  height: number;
  planes: number[];
  object: number[];
  cases: { masked: boolean; value: number; gradient: number[] }[];
};
const { width, height } = reference;
const planes: Planes = { width, height, data: Float32Array.from(reference.planes, (x) => 2 * x - 1) };
const object = createMask(width, height, Uint8Array.from(reference.object));

function meanAmplitude({ data }: Planes): number {
  const pixels = width * height;
  const plane = (c: number) => Float64Array.from(data.subarray(c * pixels, (c + 1) * pixels), (x) => (x + 1) / 2);
  const amplitudes = [0, 1, 2].map((c) => amplitudeSum(fft2(plane(c), width, height)));
  return mean(amplitudes) / pixels;
}

describe("the background's mean Fourier amplitude", () => {
  it.each(reference.cases)("and its gradient are torch's (object masked: $masked)", ({ masked, value, gradient }) => {
    const mask = masked ? object : undefined;
    const found = amplitudeGradient(planes, mask);
    // Planes are in single precision.
    if (!masked) expect(Math.abs(meanAmplitude(planes) / value - 1)).toBeLessThan(1e-6);
    found.forEach((x, i) => {
      expect(Math.abs(x - gradient[i])).toBeLessThan(1e-6);
    });
  });

  it.each([0.05, -0.05])('moves by the amplitude asked for, %f, and only outside the object', (amplitude) => {
    const grey: Planes = { ...planes, data: planes.data.map((x) => x * 0.7) };
    const moved = moveAmplitude(grey, amplitude);
    // Every frequency grows by it, but for those that pass through zero.
    const change = meanAmplitude(moved) - meanAmplitude(grey);
    expect(change / amplitude).toBeGreaterThan(0.95);
    expect(change / amplitude).toBeLessThan(1.01);
    const beside = moveAmplitude(grey, amplitude, object);
    const pixels = width * height;
    beside.data.forEach((x, i) => {
      if (object.data[i % pixels]) expect(x).toBe(grey.data[i]);
    });
  });
});
