import { begin, kernels, look, put, take } from '../kernels/arena.ts';
import { chirpOf, keepPlans, largestFactor, roots } from './transform.ts';

/** Transforms of one length side by side: number j of line t at `j · lines + t`; `lines` is even. In place. */
export type LinesTransform = (real: Float64Array, imaginary: Float64Array, lines: number) => void;

/** The transform of `planTransform` for many lines at once, in WebAssembly: the same to the bit. */
export function planLines(n: number): LinesTransform {
  return (real, imaginary, lines) => {
    begin();
    const [re, im] = planPlaced(n)(lines)(put(real), put(imaginary));
    copyOut(re, real);
    copyOut(im, imaginary);
  };
}

function copyOut(at: number, to: Float64Array): void {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(look(at, to.byteLength));
}

/** The same on lines that stand in kernel memory; where the result stands: there, or in the spare room. */
type PlacedTransform = (re: number, im: number, spare?: number) => readonly [re: number, im: number];

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

function mixedRadix(n: number, factors: readonly number[]): (lines: number) => PlacedTransform {
  const { cos, sin } = roots(n);
  return (lines) => {
    const bytes = 8 * n * lines;
    const [c, s, terms, own] = [put(cos), put(sin), take(32 * largestFactor), take(2 * bytes)];
    const { fftJoinTwo, fftJoinFour, fftJoinAny } = kernels();
    return (fromRe, fromIm, spare = own) => {
      let [re, im, toRe, toIm] = [fromRe, fromIm, spare, spare + bytes];
      let done = 1;
      for (const radix of factors) {
        const rest = n / done / radix;
        if (radix === 4) fftJoinFour(re, im, toRe, toIm, lines, done, rest, c, s);
        else if (radix === 2) fftJoinTwo(re, im, toRe, toIm, lines, done, rest, c, s);
        else fftJoinAny(re, im, toRe, toIm, lines, done, rest, c, s, radix, terms);
        [re, im, toRe, toIm] = [toRe, toIm, re, im];
        done *= radix;
      }
      return [re, im];
    };
  };
}

/** As in `planTransform`, every line by itself. */
function bluestein(n: number): (lines: number) => PlacedTransform {
  const { size, cos, sin, kernelRe, kernelIm } = chirpOf(n);
  return (lines) => {
    const bytes = 8 * size * lines;
    const [c, s, kRe, kIm, room] = [put(cos), put(sin), put(kernelRe), put(kernelIm), take(2 * bytes)];
    const transform = planPlaced(size)(lines);
    const { chirpIn, chirpTimes, chirpOut } = kernels();
    return (re, im) => {
      chirpIn(re, im, room, room + bytes, lines, n, size, c, s);
      const there = transform(room, room + bytes);
      chirpTimes(...there, lines, size, kRe, kIm);
      const back = transform(...there, there[0] === room ? undefined : room);
      chirpOut(...back, re, im, lines, n, size, c, s);
      return [re, im];
    };
  };
}
