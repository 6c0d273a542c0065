/** Forward transform of n complex numbers in place, unnormalised: X[k] = Σ x[j] exp(−2πi jk / n). */
export type Transform = (real: Float64Array, imaginary: Float64Array) => void;

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Above this, a prime factor is cheaper by way of a convolution. */
const largestFactor = 31;

const plans = new Map<number, Transform>();

export function planTransform(n: number): Transform {
  let plan = plans.get(n);
  if (!plan) {
    const factors = factorise(n);
    plan = factors.every((factor) => factor <= largestFactor) ? mixedRadix(n, factors) : bluestein(n);
    // Dataset images come in many sizes; a plan is a few tables and soon made again.
    if (plans.size > 64) plans.clear();
    plans.set(n, plan);
  }
  return plan;
}

function factorise(n: number): number[] {
  const factors: number[] = [];
  let rest = n;
  for (const factor of [4, 2, 3, 5]) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  for (let factor = 7; factor * factor <= rest; factor += 2) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  if (rest > 1) factors.push(rest);
  return factors;
}

function roots(n: number): { cos: Float64Array; sin: Float64Array } {
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    cos[k] = Math.cos((2 * Math.PI * k) / n);
    sin[k] = -Math.sin((2 * Math.PI * k) / n);
  }
  return { cos, sin };
}

/**
 * Stockham's autosort form of Cooley and Tukey's algorithm, for any factors. After the factors of L, entry k·M + q (with
 * M = n / L) is term k of the transform of x[q], x[q + M], …: factor p joins p of these.
 */
function mixedRadix(n: number, factors: readonly number[]): Transform {
  const { cos, sin } = roots(n);
  const spare: Complex = { re: new Float64Array(n), im: new Float64Array(n) };
  const re = new Float64Array(largestFactor);
  const im = new Float64Array(largestFactor);
  return (real, imaginary) => {
    let from: Complex = { re: real, im: imaginary };
    let to = spare;
    let done = 1;
    for (const radix of factors) {
      const rest = n / done / radix;
      for (let k = 0; k < done; k++) {
        for (let q = 0; q < rest; q++) {
          const at = k * rest * radix + q;
          for (let r = 0; r < radix; r++) {
            const turn = k * r * rest;
            const x = from.re[at + r * rest];
            const y = from.im[at + r * rest];
            re[r] = x * cos[turn] - y * sin[turn];
            im[r] = x * sin[turn] + y * cos[turn];
          }
          join(radix, re, im, cos, sin);
          for (let s = 0; s < radix; s++) {
            to.re[(k + s * done) * rest + q] = re[s];
            to.im[(k + s * done) * rest + q] = im[s];
          }
        }
      }
      [from, to] = [to, from];
      done *= radix;
    }
    if (from.re === real) return;
    real.set(from.re);
    imaginary.set(from.im);
  };
}

const sumRe = new Float64Array(largestFactor);
const sumIm = new Float64Array(largestFactor);

/** Transform of the first `radix` entries in place; `cos` and `sin` are a multiple of `radix` long. */
function join(radix: number, re: Float64Array, im: Float64Array, cos: Float64Array, sin: Float64Array): void {
  if (radix === 2) {
    const a = re[1];
    const b = im[1];
    re[1] = re[0] - a;
    im[1] = im[0] - b;
    re[0] += a;
    im[0] += b;
    return;
  }
  if (radix === 4) {
    const evenRe = re[0] + re[2];
    const evenIm = im[0] + im[2];
    const oddRe = re[1] + re[3];
    const oddIm = im[1] + im[3];
    const plusRe = re[0] - re[2];
    const plusIm = im[0] - im[2];
    const turnedRe = im[1] - im[3];
    const turnedIm = re[3] - re[1];
    re[0] = evenRe + oddRe;
    im[0] = evenIm + oddIm;
    re[2] = evenRe - oddRe;
    im[2] = evenIm - oddIm;
    re[1] = plusRe + turnedRe;
    im[1] = plusIm + turnedIm;
    re[3] = plusRe - turnedRe;
    im[3] = plusIm - turnedIm;
    return;
  }
  const step = cos.length / radix;
  for (let s = 0; s < radix; s++) {
    let a = 0;
    let b = 0;
    for (let r = 0; r < radix; r++) {
      const turn = ((r * s) % radix) * step;
      a += re[r] * cos[turn] - im[r] * sin[turn];
      b += re[r] * sin[turn] + im[r] * cos[turn];
    }
    sumRe[s] = a;
    sumIm[s] = b;
  }
  for (let s = 0; s < radix; s++) {
    re[s] = sumRe[s];
    im[s] = sumIm[s];
  }
}

/** Any length as a convolution of a power of two (Bluestein 1970): jk = (j² + k² − (k − j)²) / 2. */
function bluestein(n: number): Transform {
  const size = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const transform = planTransform(size);
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    // k² modulo 2n, taken before the angle: the angle of k² itself would lose digits.
    const angle = (Math.PI * Number((BigInt(k) * BigInt(k)) % BigInt(2 * n))) / n;
    cos[k] = Math.cos(angle);
    sin[k] = Math.sin(angle);
  }
  const kernelRe = new Float64Array(size);
  const kernelIm = new Float64Array(size);
  for (let k = 0; k < n; k++) {
    kernelRe[k] = kernelRe[(size - k) % size] = cos[k];
    kernelIm[k] = kernelIm[(size - k) % size] = sin[k];
  }
  transform(kernelRe, kernelIm);
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  return (real, imaginary) => {
    re.fill(0);
    im.fill(0);
    for (let k = 0; k < n; k++) {
      re[k] = real[k] * cos[k] + imaginary[k] * sin[k];
      im[k] = imaginary[k] * cos[k] - real[k] * sin[k];
    }
    transform(re, im);
    // Conjugated, so that the forward transform serves as the inverse.
    for (let k = 0; k < size; k++) {
      const a = re[k] * kernelRe[k] - im[k] * kernelIm[k];
      im[k] = -(re[k] * kernelIm[k] + im[k] * kernelRe[k]);
      re[k] = a;
    }
    transform(re, im);
    for (let k = 0; k < n; k++) {
      real[k] = (re[k] * cos[k] - im[k] * sin[k]) / size;
      imaginary[k] = (-im[k] * cos[k] - re[k] * sin[k]) / size;
    }
  };
}
