import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMask } from '../../image/raster.ts';
import type { Planes } from './autoencoder.ts';
import { amplitudeGradient, backgroundAmplitude } from './complexity.ts';
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

describe("the background's mean Fourier amplitude", () => {
  it.each(reference.cases)("and its gradient are torch's (object masked: $masked)", ({ masked, value, gradient }) => {
    const mask = masked ? object : undefined;
    // Planes are in single precision.
    expect(Math.abs(backgroundAmplitude(planes, mask) / value - 1)).toBeLessThan(1e-6);
    const found = amplitudeGradient(planes, mask);
    found.forEach((x, i) => {
      expect(Math.abs(x - gradient[i])).toBeLessThan(1e-6);
    });
  });

  it.each([0.05, -0.05])('moves by the amplitude asked for, %f, and only outside the object', (amplitude) => {
    const grey: Planes = { ...planes, data: planes.data.map((x) => x * 0.7) };
    const moved = moveAmplitude(grey, amplitude);
    // Every frequency grows by it, but for those that pass through zero.
    const change = backgroundAmplitude(moved) - backgroundAmplitude(grey);
    expect(change / amplitude).toBeGreaterThan(0.95);
    expect(change / amplitude).toBeLessThan(1.01);
    const beside = moveAmplitude(grey, amplitude, object);
    const pixels = width * height;
    beside.data.forEach((x, i) => {
      if (object.data[i % pixels]) expect(x).toBe(grey.data[i]);
    });
  });
});
