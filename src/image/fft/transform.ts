/** Forward transform of n complex numbers in place, unnormalised: X[k] = Σ x[j] exp(−2πi jk / n). */
export type Transform = (real: Float64Array, imaginary: Float64Array) => void;

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Above this, a prime factor is cheaper by way of a convolution. */
export const largestFactor = 31;

export const planTransform = keepPlans<Transform>(mixedRadix, bluestein);

/** Plans by length, made when first asked for: mixed radix where the prime factors are small, else by a convolution. */
export function keepPlans<Plan>(
  ofFactors: (n: number, factors: readonly number[]) => Plan,
  ofPrimes: (n: number) => Plan,
): (n: number) => Plan {
  const plans = new Map<number, Plan>();
  return (n) => {
    const known = plans.get(n);
    if (known) return known;
    const factors = factorise(n);
    const plan = factors.every((factor) => factor <= largestFactor) ? ofFactors(n, factors) : ofPrimes(n);
    // Dataset images come in many sizes; a plan is a few tables and soon made again.
    if (plans.size > 64) plans.clear();
    plans.set(n, plan);
    return plan;
  };
}

export function factorise(n: number): number[] {
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

export function roots(n: number): { cos: Float64Array; sin: Float64Array } {
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
  return (real, imaginary) => {
    let from: Complex = { re: real, im: imaginary };
    let to = spare;
    let done = 1;
    for (const radix of factors) {
      const pass = { done, rest: n / done / radix, cos, sin };
      if (radix === 4) joinFour(from, to, pass);
      else if (radix === 2) joinTwo(from, to, pass);
      else joinAny(from, to, pass, radix);
      [from, to] = [to, from];
      done *= radix;
    }
    if (from.re === real) return;
    real.set(from.re);
    imaginary.set(from.im);
  };
}

interface Pass {
  /** L, and n / (L · p). */
  readonly done: number;
  readonly rest: number;
  /** Of the n-th roots of one. */
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function joinTwo(from: Complex, to: Complex, { done, rest, cos, sin }: Pass): void {
  const { re, im } = from;
  for (let k = 0; k < done; k++) {
    const c = cos[k * rest];
    const s = sin[k * rest];
    for (let i = 2 * k * rest, o = k * rest, end = o + rest; o < end; i++, o++) {
      const x = re[i + rest] * c - im[i + rest] * s;
      const y = re[i + rest] * s + im[i + rest] * c;
      const far = o + done * rest;
      to.re[o] = re[i] + x;
      to.im[o] = im[i] + y;
      to.re[far] = re[i] - x;
      to.im[far] = im[i] - y;
    }
  }
}

function joinFour(from: Complex, to: Complex, { done, rest, cos, sin }: Pass): void {
  const { re, im } = from;
  const { re: toRe, im: toIm } = to;
  const far = done * rest;
  for (let k = 0; k < done; k++) {
    const turn = k * rest;
    const c1 = cos[turn];
    const c2 = cos[2 * turn];
    const c3 = cos[3 * turn];
    const s1 = sin[turn];
    const s2 = sin[2 * turn];
    const s3 = sin[3 * turn];
    for (let i = 4 * k * rest, o = k * rest, end = o + rest; o < end; i++, o++) {
      const i1 = i + rest;
      const i2 = i1 + rest;
      const i3 = i2 + rest;
      const x1 = re[i1] * c1 - im[i1] * s1;
      const y1 = re[i1] * s1 + im[i1] * c1;
      const x2 = re[i2] * c2 - im[i2] * s2;
      const y2 = re[i2] * s2 + im[i2] * c2;
      const x3 = re[i3] * c3 - im[i3] * s3;
      const y3 = re[i3] * s3 + im[i3] * c3;
      const evenX = re[i] + x2;
      const evenY = im[i] + y2;
      const plusX = re[i] - x2;
      const plusY = im[i] - y2;
      toRe[o] = evenX + x1 + x3;
      toIm[o] = evenY + y1 + y3;
      toRe[o + far] = plusX + y1 - y3;
      toIm[o + far] = plusY - x1 + x3;
      toRe[o + 2 * far] = evenX - x1 - x3;
      toIm[o + 2 * far] = evenY - y1 - y3;
      toRe[o + 3 * far] = plusX - y1 + y3;
      toIm[o + 3 * far] = plusY + x1 - x3;
    }
  }
}

const termRe = new Float64Array(largestFactor);
const termIm = new Float64Array(largestFactor);

function joinAny(from: Complex, to: Complex, { done, rest, cos, sin }: Pass, radix: number): void {
  const { re, im } = from;
  const { re: toRe, im: toIm } = to;
  const n = cos.length;
  const step = n / radix;
  for (let k = 0; k < done; k++) {
    for (let q = 0; q < rest; q++) {
      const at = k * rest * radix + q;
      for (let r = 0; r < radix; r++) {
        const turn = k * r * rest;
        const x = re[at + r * rest];
        const y = im[at + r * rest];
        termRe[r] = x * cos[turn] - y * sin[turn];
        termIm[r] = x * sin[turn] + y * cos[turn];
      }
      for (let s = 0; s < radix; s++) {
        let x = termRe[0];
        let y = termIm[0];
        for (let r = 1, turn = s * step; r < radix; r++) {
          x += termRe[r] * cos[turn] - termIm[r] * sin[turn];
          y += termRe[r] * sin[turn] + termIm[r] * cos[turn];
          turn += s * step;
          if (turn >= n) turn -= n;
        }
        toRe[(k + s * done) * rest + q] = x;
        toIm[(k + s * done) * rest + q] = y;
      }
    }
  }
}

/** Tables of the convolution that gives a transform of any length (Bluestein 1970): jk = (j² + k² − (k − j)²) / 2. */
export function chirpOf(n: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * n - 1));
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
  planTransform(size)(kernelRe, kernelIm);
  return { size, cos, sin, kernelRe, kernelIm };
}

/** Any length, as a convolution of a power of two. */
function bluestein(n: number): Transform {
  const { size, cos, sin, kernelRe, kernelIm } = chirpOf(n);
  const transform = planTransform(size);
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
