import { planTransform } from './transform.ts';

/**
 * Cosine transform of a plane, C[k] = Σ x[j] cos(π (2j + 1) k / 2n) along both axes: the Fourier transform of the plane
 * mirrored at its edges, which knows no jump from one edge to the opposite one. By one transform of length n for two
 * rows (Makhoul 1980).
 */
export function cosine2(plane: Float64Array, width: number, height: number): Float64Array {
  const out = plane.slice();
  eachPair(out, width, height, forwardOf);
  return out;
}

/** The plane that has these cosine coefficients. */
export function inverseCosine2(coefficients: Float64Array, width: number, height: number): Float64Array {
  const out = coefficients.slice();
  eachPair(out, width, height, inverseOf);
  return out;
}

/** Transforms two lines in place. */
type Pair = (a: Float64Array, b: Float64Array) => void;

function eachPair(plane: Float64Array, width: number, height: number, make: (n: number) => Pair): void {
  for (const [count, length, start, step] of [
    [height, width, width, 1],
    [width, height, 1, width],
  ]) {
    const transform = make(length);
    const a = new Float64Array(length);
    const b = new Float64Array(length);
    for (let line = 0; line < count; line += 2) {
      const second = line + 1 < count;
      for (let i = 0; i < length; i++) {
        a[i] = plane[line * start + i * step];
        b[i] = second ? plane[(line + 1) * start + i * step] : 0;
      }
      transform(a, b);
      for (let i = 0; i < length; i++) {
        plane[line * start + i * step] = a[i];
        if (second) plane[(line + 1) * start + i * step] = b[i];
      }
    }
  }
}

function tables(n: number) {
  const order = Int32Array.from({ length: n }, (_, j) => (j % 2 === 0 ? j / 2 : n - (j + 1) / 2));
  const cos = Float64Array.from({ length: n }, (_, k) => Math.cos((Math.PI * k) / (2 * n)));
  const sin = Float64Array.from({ length: n }, (_, k) => Math.sin((Math.PI * k) / (2 * n)));
  return { order, cos, sin, re: new Float64Array(n), im: new Float64Array(n), transform: planTransform(n) };
}

function forwardOf(n: number): Pair {
  const { order, cos, sin, re, im, transform } = tables(n);
  return (a, b) => {
    for (let j = 0; j < n; j++) {
      re[order[j]] = a[j];
      im[order[j]] = b[j];
    }
    transform(re, im);
    for (let k = 0; k < n; k++) {
      const m = k === 0 ? 0 : n - k;
      // The spectra of the two real lines are the even and odd parts; then a quarter turn spread over k.
      a[k] = ((re[k] + re[m]) * cos[k] + (im[k] - im[m]) * sin[k]) / 2;
      b[k] = ((im[k] + im[m]) * cos[k] + (re[m] - re[k]) * sin[k]) / 2;
    }
  };
}

function inverseOf(n: number): Pair {
  const { order, cos, sin, re, im, transform } = tables(n);
  return (a, b) => {
    for (let k = 0; k < n; k++) {
      const a2 = k === 0 ? 0 : a[n - k];
      const b2 = k === 0 ? 0 : b[n - k];
      const aRe = a[k] * cos[k] + a2 * sin[k];
      const aIm = a[k] * sin[k] - a2 * cos[k];
      const bRe = b[k] * cos[k] + b2 * sin[k];
      const bIm = b[k] * sin[k] - b2 * cos[k];
      re[k] = aRe - bIm;
      // Conjugated, so that the forward transform serves as the inverse.
      im[k] = -(aIm + bRe);
    }
    transform(re, im);
    for (let j = 0; j < n; j++) {
      a[j] = re[order[j]] / n;
      b[j] = -im[order[j]] / n;
    }
  };
}
