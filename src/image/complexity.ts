import { cosine2, placeCosine, strideOf } from './fft/cosine.ts';
import { channel, meanAmplitude, placeMeanAmplitude } from './fft.ts';
import { begin, doubles, get, integers, put, singles, take } from './kernels/arena.ts';
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
  const gains = gainsOf(width, height);
  const tally = tallyBySlope(coefficients, gains);
  const rest = Math.abs(coefficients[0][0]) + Math.abs(coefficients[1][0]) + Math.abs(coefficients[2][0]);
  const before = tally.sums.reduce((a, b) => a + b, 0);
  const found = { coefficients, slopes: gains.slopes, tally, rest, before, amplitude: meanAmplitude(image) };
  measured.set(image, found);
  return found;
}

/** What depends on a picture's size alone. */
interface Gains {
  /** ln of the gain for s = 1, by coefficient. */
  readonly slopes: Float32Array;
  /** The entry of a tally that a coefficient's amplitude is counted in; entry b stands for the slope b / scale. */
  readonly entries: Uint16Array;
  readonly scale: number;
}

let lastGains: { width: number; height: number; gains: Gains } | undefined;

/** Kept, since the next picture is often of the same size. */
function gainsOf(width: number, height: number): Gains {
  if (lastGains?.width !== width || lastGains.height !== height)
    lastGains = { width, height, gains: makeGains(width, height) };
  return lastGains.gains;
}

function makeGains(width: number, height: number): Gains {
  const longer = Math.max(width, height);
  const count = width * height;
  const { slopesFor } = begin();
  const [at, doubtful] = [take(4 * count), take(4 * count)];
  const doubts = slopesFor(width, height, longer, corner, at, doubtful);
  const slopes = singles(at, count).slice();
  forEachDoubt(doubtful, doubts, count, (i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const periods = Math.hypot(x / (2 * width), y / (2 * height)) * longer;
    slopes[i] = Math.log1p((periods / corner) ** 2) / 2;
  });
  const scale = steps / (slopes[slopes.length - 1] || 1);
  const entries = new Uint16Array(count);
  for (let i = 0; i < count; i++) entries[i] = Math.round(slopes[i] * scale);
  return { slopes, entries, scale };
}

/** Pairs of numbers that a kernel leaves to be computed here (assembly/gains.ts). */
function forEachDoubt(doubtful: number, doubts: number, count: number, compute: (index: number) => void): void {
  for (const i of integers(doubtful, doubts)) {
    compute(i);
    if (i + 1 < count) compute(i + 1);
  }
}

/** Sums of amplitudes of like gain. */
interface Tally {
  readonly sums: Float64Array;
  readonly scale: number;
}

/** So that trying an exponent costs no pass over the picture. The constant is left out. */
function tallyBySlope(coefficients: Float64Array[], { entries, scale }: Gains): Tally {
  const sums = new Float64Array(steps + 1);
  for (const plane of coefficients) {
    for (let i = 1; i < plane.length; i++) sums[entries[i]] += Math.abs(plane[i]);
  }
  return { sums, scale };
}

/** The s that brings the sum of amplitudes to `wanted`, by bisection; the sum grows with s. */
function exponentFor(tally: Tally, wanted: number): number {
  const near = solutionNear(tally, wanted);
  let low = -20;
  let high = 20;
  for (let i = 0; i < 50; i++) {
    const s = (low + high) / 2;
    // Far from the solution there is no doubt on which side it lies.
    const isAbove =
      near !== undefined && Math.abs(s - near) > farFromSolution ? s > near : sumAt(tally, s).sum > wanted;
    if (isAbove) high = s;
    else low = s;
  }
  return (low + high) / 2;
}

const farFromSolution = 1e-9;

/**
 * By Newton's steps on the logarithm. Given only where it is known to 2e-11 (1e-12 of the sum, which grows by a twentieth a
 * step of 1 at least): a thousand times what rounding could make of a sum as far away as `farFromSolution`.
 */
function solutionNear(tally: Tally, wanted: number): number | undefined {
  if (!(wanted > 0)) return undefined;
  for (let s = 0, step = 0; step < 20 && Math.abs(s) < 20; step++) {
    const { sum, growth } = sumAt(tally, s);
    const off = Math.log(sum / wanted);
    const rate = growth / sum;
    if (!(rate > 0.05)) return undefined;
    if (Math.abs(off) < 1e-12) return s;
    s -= off / rate;
  }
  return undefined;
}

/** Sum of the amplitudes, and how fast it grows with s. */
function sumAt({ sums, scale }: Tally, s: number): { sum: number; growth: number } {
  let sum = 0;
  let growth = 0;
  for (let b = 0; b < sums.length; b++) {
    if (sums[b] === 0) continue;
    const term = sums[b] * Math.exp((s * b) / scale);
    sum += term;
    growth += term * b;
  }
  return { sum, growth: growth / scale };
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
  const { gainsFor, scaleBy, toBytes } = begin();
  const stride = strideOf(width);
  const [given, plane] = [take(8 * count), take(8 * stride * height)];
  const [picture, gains] = [take(3 * count), take(4 * count)];
  const [{ inverse }, amplitudeOf] = [placeCosine(width, height, stride), placeMeanAmplitude(width, height)];
  // The plane is written later.
  const doubts = gainsFor(put(slopes), s, count, gains, plane);
  const factors = singles(gains, count);
  forEachDoubt(plane, doubts, count, (i) => {
    factors[i] = Math.exp(s * slopes[i]);
  });
  coefficients.forEach((values, c) => {
    doubles(given, count).set(values);
    for (let y = 0, at = 0; y < height; y++, at += width)
      scaleBy(given + 8 * at, gains + 4 * at, plane + 8 * y * stride, width);
    inverse(plane);
    for (let y = 0; y < height; y++) toBytes(plane + 8 * y * stride, width, picture + 3 * y * width + c);
  });
  return { made: createRaster(width, height, get(picture, 3 * count)), amplitude: amplitudeOf(picture) };
}
