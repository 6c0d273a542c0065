import { cosine2, placeCosine } from './fft/cosine.ts';
import { channel, meanAmplitude, placeMeanAmplitude } from './fft.ts';
import { begin, doubles, get, put, take } from './kernels/arena.ts';
import { createRaster, type Raster } from './raster.ts';

export interface ComplexityOptions {
  /** Accepted distance from the amplitude asked for, as a share of it. */
  tolerance?: number;
  /** Pictures made at most. */
  rounds?: number;
}

/** Frequency, in periods across the longer side, from which gains rise or fall. */
const corner = 4;
const steps = 2048;

/**
 * The picture made busier or simpler, until its mean Fourier amplitude is `factor` times what it was: amplitudes are
 * multiplied by (1 + (f / 4)²)^(s / 2), f being periods across the longer side, and s is searched for. Rounding and
 * clipping to 8 bits count: it is the finished picture that is measured. The mean colour stays, nothing is shifted. The
 * closest picture found is returned where the aim cannot be reached; a picture of one colour has nothing to scale.
 */
export function changeComplexity(
  image: Raster,
  factor: number,
  { tolerance = 0.005, rounds = 10 }: ComplexityOptions = {},
): Raster {
  const { width, height } = image;
  const { coefficients, slopes, tally, rest, before, amplitude: from } = spectrumOf(image);
  if (before === 0) return image;

  const goal = from * factor;
  let best = { image, error: Number.POSITIVE_INFINITY };
  for (let round = 0, aim = factor; round < rounds; round++) {
    const s = exponentFor(tally, aim * (before + rest) - rest);
    const { made, amplitude } = render(coefficients, slopes, s, width, height);
    const error = Math.abs(amplitude / goal - 1);
    if (error < best.error) best = { image: made, error };
    if (error <= tolerance) break;
    // Clipping takes amplitude away and rounding adds some: aim as far past the goal as the last picture fell short.
    aim *= goal / amplitude;
  }
  return best.image;
}

interface Measured {
  readonly coefficients: Float64Array[];
  readonly slopes: Float32Array;
  readonly tally: Tally;
  /** Amplitudes of the constants, which no gain changes, and of all others. */
  readonly rest: number;
  readonly before: number;
  readonly amplitude: number;
}

const measured = new WeakMap<Raster, Measured>();

/** Kept as long as the picture: it is usually made both busier and simpler. */
function spectrumOf(image: Raster): Measured {
  const known = measured.get(image);
  if (known) return known;
  const { width, height } = image;
  const coefficients = ([0, 1, 2] as const).map((c) => cosine2(channel(image, c), width, height));
  const slopes = slopeOf(width, height);
  const tally = tallyBySlope(coefficients, slopes);
  const rest = Math.abs(coefficients[0][0]) + Math.abs(coefficients[1][0]) + Math.abs(coefficients[2][0]);
  const before = tally.sums.reduce((a, b) => a + b, 0);
  const found = { coefficients, slopes, tally, rest, before, amplitude: meanAmplitude(image) };
  measured.set(image, found);
  return found;
}

let lastSlopes: { width: number; height: number; slopes: Float32Array } | undefined;

/** ln of the gain for s = 1, by coefficient; kept, since the next picture is often of the same size. */
function slopeOf(width: number, height: number): Float32Array {
  if (lastSlopes?.width !== width || lastSlopes.height !== height)
    lastSlopes = { width, height, slopes: makeSlopes(width, height) };
  return lastSlopes.slopes;
}

function makeSlopes(width: number, height: number): Float32Array {
  const longer = Math.max(width, height);
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const periods = Math.hypot(x / (2 * width), y / (2 * height)) * longer;
      out[y * width + x] = Math.log1p((periods / corner) ** 2) / 2;
    }
  }
  return out;
}

/** Sums of amplitudes of like gain; entry b stands for the slope b / scale. */
interface Tally {
  readonly sums: Float64Array;
  readonly scale: number;
}

/** So that trying an exponent costs no pass over the picture. The constant is left out. */
function tallyBySlope(coefficients: Float64Array[], slopes: Float32Array): Tally {
  const sums = new Float64Array(steps + 1);
  const scale = steps / (slopes[slopes.length - 1] || 1);
  for (const plane of coefficients) {
    for (let i = 1; i < plane.length; i++) sums[Math.round(slopes[i] * scale)] += Math.abs(plane[i]);
  }
  return { sums, scale };
}

/** The s that brings the sum of amplitudes to `wanted`, by bisection; the sum grows with s. */
function exponentFor({ sums, scale }: Tally, wanted: number): number {
  let low = -20;
  let high = 20;
  for (let i = 0; i < 50; i++) {
    const s = (low + high) / 2;
    let sum = 0;
    for (let b = 0; b < sums.length; b++) if (sums[b] > 0) sum += sums[b] * Math.exp((s * b) / scale);
    if (sum > wanted) high = s;
    else low = s;
  }
  return (low + high) / 2;
}

let keptGains = new Float32Array(0);

/** Written over by the next picture. */
function singles(length: number): Float32Array {
  if (keptGains.length < length) keptGains = new Float32Array(length);
  return keptGains.subarray(0, length);
}

/** The picture with these gains, and its mean amplitude; in kernel memory from coefficients to bytes and back. */
function render(
  coefficients: Float64Array[],
  slopes: Float32Array,
  s: number,
  width: number,
  height: number,
): { made: Raster; amplitude: number } {
  const count = width * height;
  const gains = singles(count);
  for (let i = 0; i < count; i++) gains[i] = Math.exp(s * slopes[i]);
  const { scaleBy, toBytes } = begin();
  const [plane, picture] = [take(8 * count), take(3 * count)];
  const [{ inverse }, amplitudeOf, factors] = [
    placeCosine(width, height),
    placeMeanAmplitude(width, height),
    put(gains),
  ];
  coefficients.forEach((values, c) => {
    doubles(plane, count).set(values);
    scaleBy(plane, factors, plane, count);
    inverse(plane);
    toBytes(plane, count, picture + c);
  });
  return { made: createRaster(width, height, get(picture, 3 * count)), amplitude: amplitudeOf(picture) };
}
