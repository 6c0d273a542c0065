import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine2, inverseCosine2 } from './fft/cosine.ts';
import { amplitudeSum, channel, fft2, inverseFft2, meanAmplitude } from './fft.ts';
import { createRaster } from './raster.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../test/fixtures/fft/transforms.json', import.meta.url), 'utf8'),
) as {
  transforms: { width: number; height: number; real: number[]; imaginary: number[]; cosine: number[] }[];
  meanAmplitude: { width: number; height: number; value: number };
};

const planeOf = (width: number, height: number) =>
  Float64Array.from({ length: width * height }, (_, i) => ((i * 7919 + i * i * 31) % 1009) / 1009);

const furthest = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let most = 0;
  for (let i = 0; i < b.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
};

describe('the transform', () => {
  it.each(fixture.transforms.map((t) => [`${t.width}×${t.height}`, t] as const))('of %s is SciPy’s', (_, expected) => {
    const { width, height } = expected;
    const { real, imaginary, columns } = fft2(planeOf(width, height), width, height);
    expect(columns).toBe(Math.floor(width / 2) + 1);
    expect(real).toHaveLength(expected.real.length);
    const largest = expected.real.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-3);
    expect(furthest(real, expected.real) / largest).toBeLessThan(1e-12);
    expect(furthest(imaginary, expected.imaginary) / largest).toBeLessThan(1e-12);
  });

  it('comes back by its inverse, at any size', () => {
    const size = fc.integer({ min: 1, max: 70 });
    fc.assert(
      fc.property(size, size, (width, height) => {
        const plane = planeOf(width, height);
        expect(furthest(inverseFft2(fft2(plane, width, height)), plane)).toBeLessThan(1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the sum of squares (Parseval), the mirrored half counted', () => {
    const [width, height] = [45, 34];
    const plane = planeOf(width, height);
    const spectrum = fft2(plane, width, height);
    const real = spectrum.real.map((v, i) => v * v + spectrum.imaginary[i] ** 2);
    const squared = { ...spectrum, real, imaginary: new Float64Array(real.length) };
    const inside = plane.reduce((sum, v) => sum + v * v, 0);
    expect(amplitudeSum(squared) / (width * height) / inside).toBeCloseTo(1, 12);
  });
});

describe('the cosine transform', () => {
  it.each(fixture.transforms.map((t) => [`${t.width}×${t.height}`, t] as const))('of %s is SciPy’s', (_, expected) => {
    const { width, height, cosine } = expected;
    const largest = cosine.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-3);
    const plane = planeOf(width, height);
    const coefficients = cosine2(plane, width, height);
    expect(furthest(coefficients, cosine) / largest).toBeLessThan(1e-12);
    expect(furthest(inverseCosine2(coefficients.slice(), width, height), plane)).toBeLessThan(1e-12);
  });
});

describe('meanAmplitude', () => {
  it('is NumPy’s mean of |fft2| over frequencies and channels', () => {
    const { width, height, value } = fixture.meanAmplitude;
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37 + i * i * 5) % 251);
    expect(meanAmplitude(createRaster(width, height, data)) / value).toBeCloseTo(1, 12);
  });

  // Lines that fill no chunk, one and several; even and odd; lengths that go by way of a convolution.
  it.each([
    [1, 1],
    [3, 2],
    [64, 31],
    [71, 65],
    [37, 106],
  ])('in the kernels is the sum over the transform of each channel, to the bit: %i × %i', (width, height) => {
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37 + i * i * 5) % 251);
    const picture = createRaster(width, height, data);
    const sums = ([0, 1, 2] as const).map((c) => amplitudeSum(fft2(channel(picture, c), width, height)));
    expect(meanAmplitude(picture)).toBe((sums[0] + sums[1] + sums[2]) / (3 * width * height));
  });

  it('is the mean level where nothing changes', () => {
    expect(meanAmplitude(createRaster(6, 5, new Uint8Array(90).fill(51)))).toBeCloseTo(0.2, 12);
  });
});
