import { begin, kernels, look, put, take } from '../kernels/arena.ts';
import { chirpOf, keepPlans, largestFactor, roots } from './transform.ts';

/** Transforms of one length side by side: number j of line t at `j · lines + t`; `lines` is even. In place. */
export type LinesTransform = (real: Float64Array, imaginary: Float64Array, lines: number) => void;

/** The transform of `planTransform` for many lines at once, in WebAssembly: the same to the bit. */
export const planLines = keepPlans<LinesTransform>(mixedRadix, bluestein);

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

function mixedRadix(n: number, factors: readonly number[]): LinesTransform {
  const { cos, sin } = roots(n);
  return (real, imaginary, lines) => {
    if (n === 1) return;
    begin();
    let [re, im] = [put(real), put(imaginary)];
    let [toRe, toIm] = [take(real.byteLength), take(real.byteLength)];
    const [c, s, terms] = [put(cos), put(sin), take(32 * largestFactor)];
    const { fftJoinTwo, fftJoinFour, fftJoinAny } = kernels();
    let done = 1;
    for (const radix of factors) {
      const rest = n / done / radix;
      if (radix === 4) fftJoinFour(re, im, toRe, toIm, lines, done, rest, c, s);
      else if (radix === 2) fftJoinTwo(re, im, toRe, toIm, lines, done, rest, c, s);
      else fftJoinAny(re, im, toRe, toIm, lines, done, rest, c, s, radix, terms);
      [re, im, toRe, toIm] = [toRe, toIm, re, im];
      done *= radix;
    }
    copyOut(re, real);
    copyOut(im, imaginary);
  };
}

function copyOut(at: number, to: Float64Array): void {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(look(at, to.byteLength));
}

/** As in `planTransform`, every line by itself. */
function bluestein(n: number): LinesTransform {
  const { size, cos, sin, kernelRe, kernelIm } = chirpOf(n);
  const transform = planLines(size);
  return (real, imaginary, lines) => {
    const re = scratch('chirp, real', size * lines);
    const im = scratch('chirp, imaginary', size * lines);
    re.fill(0, n * lines);
    im.fill(0, n * lines);
    for (let k = 0, i = 0; k < n; k++) {
      const c = cos[k];
      const s = sin[k];
      for (let t = 0; t < lines; t++, i++) {
        re[i] = real[i] * c + imaginary[i] * s;
        im[i] = imaginary[i] * c - real[i] * s;
      }
    }
    transform(re, im, lines);
    for (let k = 0, i = 0; k < size; k++) {
      const c = kernelRe[k];
      const s = kernelIm[k];
      for (let t = 0; t < lines; t++, i++) {
        const a = re[i] * c - im[i] * s;
        im[i] = -(re[i] * s + im[i] * c);
        re[i] = a;
      }
    }
    transform(re, im, lines);
    for (let k = 0, i = 0; k < n; k++) {
      const c = cos[k];
      const s = sin[k];
      for (let t = 0; t < lines; t++, i++) {
        real[i] = (re[i] * c - im[i] * s) / size;
        imaginary[i] = (-im[i] * c - re[i] * s) / size;
      }
    }
  };
}
