import { begin, kernels, look, put, take } from '../kernels/arena.ts';
import { chirpOf, factorise, keepPlans, largestFactor, roots } from './transform.ts';

/** Transforms of one length side by side: number j of line t at `j · lines + t`; `lines` is even. In place. */
export type LinesTransform = (real: Float64Array, imaginary: Float64Array, lines: number) => void;

/** The transform of `planTransform` for many lines at once, in WebAssembly: the same to the bit. */
export function planLines(n: number): LinesTransform {
  return (real, imaginary, lines) => {
    const { fftWeave, fftUnweave } = begin();
    const [re, im, woven] = [put(real), put(imaginary), take(16 * n * lines)];
    fftWeave(re, im, woven, n * lines);
    fftUnweave(planPlaced(n)(lines)(woven), re, im, n * lines);
    copyOut(re, real);
    copyOut(im, imaginary);
  };
}

function copyOut(at: number, to: Float64Array): void {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(look(at, to.byteLength));
}

/**
 * The same on lines that stand in kernel memory, two to a vector (assembly/fft.ts); where the result stands: there, or in
 * room of its own.
 */
type PlacedTransform = (at: number) => number;

/** Takes tables and spare room for so many lines at a time; good until the next image operation begins. */
export const planPlaced = keepPlans<(lines: number) => PlacedTransform>(mixedRadix, bluestein);

/** Lines that are transformed at a time: few enough to stay in the processor's cache from step to step. */
export const chunkLines = 16;

const kept = new Map<string, Float64Array>();

/**
 * Working memory, not cleared, valid until the next call with the same `place`: allocating it anew would cost as much
 * as the transform.
 */
export function scratch(place: string, length: number): Float64Array {
  const known = kept.get(place);
  if (known && known.length >= length) return known.subarray(0, length);
  const made = new Float64Array(length);
  // A large picture's buffers are not worth keeping.
  if (length <= 2 ** 22) kept.set(place, made);
  return made;
}

/** Rounded up to whole vectors. */
export const evenLines = (lines: number): number => lines + (lines % 2);

/** Passes by these factors, `done` before them; from one place to the other and back. */
function placePasses(n: number, factors: readonly number[], lines: number, cos: number, sin: number, terms: number) {
  const { fftJoinTwo, fftJoinFour, fftJoinAny } = kernels();
  return (from: number, spare: number, done: number): readonly [made: number, spare: number] => {
    let [at, to] = [from, spare];
    for (const radix of factors) {
      const rest = n / done / radix;
      if (radix === 4) fftJoinFour(at, to, lines, done, rest, cos, sin);
      else if (radix === 2) fftJoinTwo(at, to, lines, done, rest, cos, sin);
      else fftJoinAny(at, to, lines, done, rest, cos, sin, radix, terms);
      [at, to] = [to, at];
      done *= radix;
    }
    return [at, to];
  };
}

function mixedRadix(n: number, factors: readonly number[]): (lines: number) => PlacedTransform {
  const { cos, sin } = roots(n);
  return (lines) => {
    const [c, s, terms, spare] = [put(cos), put(sin), take(32 * largestFactor), take(16 * n * lines)];
    const passes = placePasses(n, factors, lines, c, s, terms);
    return (at) => passes(at, spare, 1)[0];
  };
}

/** As in `planTransform`, every line by itself; the first and the last pass of each transform are part of the chirp's. */
function bluestein(n: number): (lines: number) => PlacedTransform {
  const { size, cos, sin, kernelRe, kernelIm } = chirpOf(n);
  const { cos: rootCos, sin: rootSin } = roots(size);
  const [, ...later] = factorise(size);
  const last = later[later.length - 1];
  return (lines) => {
    const [c, s, kRe, kIm] = [put(cos), put(sin), put(kernelRe), put(kernelIm)];
    const [rootC, rootS] = [put(rootCos), put(rootSin)];
    const [room, spare] = [take(16 * size * lines), take(16 * size * lines)];
    const there = placePasses(size, later, lines, rootC, rootS, 0);
    const back = placePasses(size, later.slice(0, -1), lines, rootC, rootS, 0);
    const { chirpIn, chirpTimes, chirpOutFour, chirpOutTwo } = kernels();
    const chirpOut = last === 4 ? chirpOutFour : chirpOutTwo;
    return (at) => {
      chirpIn(at, room, lines, n, size, c, s);
      const [spectrum, free] = there(room, spare, 4);
      chirpTimes(spectrum, free, lines, size, kRe, kIm);
      chirpOut(back(free, spectrum, 4)[0], at, lines, n, size, c, s, rootC, rootS);
      return at;
    };
  };
}
