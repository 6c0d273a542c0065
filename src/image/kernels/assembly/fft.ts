/**
 * One pass of Stockham's transform over `lines` transforms side by side: number e of line t stands at (e · lines + t) · 8
 * bytes. `lines` is even, so that two lines share a vector. Each line sees the same operations in the same order as the
 * scalar transform of src/image/fft/transform.ts, so the results are the same to the bit.
 */

// @ts-ignore: decorator
@inline
function turnX(x: v128, y: v128, c: v128, s: v128): v128 {
  return f64x2.sub(f64x2.mul(x, c), f64x2.mul(y, s));
}

// @ts-ignore: decorator
@inline
function turnY(x: v128, y: v128, c: v128, s: v128): v128 {
  return f64x2.add(f64x2.mul(x, s), f64x2.mul(y, c));
}

export function fftJoinTwo(
  re: usize,
  im: usize,
  toRe: usize,
  toIm: usize,
  lines: usize,
  done: usize,
  rest: usize,
  cos: usize,
  sin: usize,
): void {
  const row = lines << 3;
  const far = done * rest * row;
  const step = rest * row;
  for (let k: usize = 0; k < done; k++) {
    const c = v128.load64_splat(cos + ((k * rest) << 3));
    const s = v128.load64_splat(sin + ((k * rest) << 3));
    const from = 2 * k * step;
    const to = k * step;
    for (let b: usize = 0; b < step; b += 16) {
      const i = from + b;
      const o = to + b;
      const x1 = v128.load(re + i + step);
      const y1 = v128.load(im + i + step);
      const x = turnX(x1, y1, c, s);
      const y = turnY(x1, y1, c, s);
      const x0 = v128.load(re + i);
      const y0 = v128.load(im + i);
      v128.store(toRe + o, f64x2.add(x0, x));
      v128.store(toIm + o, f64x2.add(y0, y));
      v128.store(toRe + o + far, f64x2.sub(x0, x));
      v128.store(toIm + o + far, f64x2.sub(y0, y));
    }
  }
}

export function fftJoinFour(
  re: usize,
  im: usize,
  toRe: usize,
  toIm: usize,
  lines: usize,
  done: usize,
  rest: usize,
  cos: usize,
  sin: usize,
): void {
  const row = lines << 3;
  const step = rest * row;
  const far = done * step;
  for (let k: usize = 0; k < done; k++) {
    const turn = (k * rest) << 3;
    const c1 = v128.load64_splat(cos + turn);
    const c2 = v128.load64_splat(cos + 2 * turn);
    const c3 = v128.load64_splat(cos + 3 * turn);
    const s1 = v128.load64_splat(sin + turn);
    const s2 = v128.load64_splat(sin + 2 * turn);
    const s3 = v128.load64_splat(sin + 3 * turn);
    for (let b: usize = 0; b < step; b += 16) {
      const i = 4 * k * step + b;
      const o = k * step + b;
      const r0 = v128.load(re + i);
      const m0 = v128.load(im + i);
      const r1 = v128.load(re + i + step);
      const m1 = v128.load(im + i + step);
      const r2 = v128.load(re + i + 2 * step);
      const m2 = v128.load(im + i + 2 * step);
      const r3 = v128.load(re + i + 3 * step);
      const m3 = v128.load(im + i + 3 * step);
      const x1 = turnX(r1, m1, c1, s1);
      const y1 = turnY(r1, m1, c1, s1);
      const x2 = turnX(r2, m2, c2, s2);
      const y2 = turnY(r2, m2, c2, s2);
      const x3 = turnX(r3, m3, c3, s3);
      const y3 = turnY(r3, m3, c3, s3);
      const evenX = f64x2.add(r0, x2);
      const evenY = f64x2.add(m0, y2);
      const plusX = f64x2.sub(r0, x2);
      const plusY = f64x2.sub(m0, y2);
      v128.store(toRe + o, f64x2.add(f64x2.add(evenX, x1), x3));
      v128.store(toIm + o, f64x2.add(f64x2.add(evenY, y1), y3));
      v128.store(toRe + o + far, f64x2.sub(f64x2.add(plusX, y1), y3));
      v128.store(toIm + o + far, f64x2.add(f64x2.sub(plusY, x1), x3));
      v128.store(toRe + o + 2 * far, f64x2.sub(f64x2.sub(evenX, x1), x3));
      v128.store(toIm + o + 2 * far, f64x2.sub(f64x2.sub(evenY, y1), y3));
      v128.store(toRe + o + 3 * far, f64x2.add(f64x2.sub(plusX, y1), y3));
      v128.store(toIm + o + 3 * far, f64x2.sub(f64x2.add(plusY, x1), x3));
    }
  }
}

/** Any radix; `terms` has room for 2 · radix vectors. */
export function fftJoinAny(
  re: usize,
  im: usize,
  toRe: usize,
  toIm: usize,
  lines: usize,
  done: usize,
  rest: usize,
  cos: usize,
  sin: usize,
  radix: usize,
  terms: usize,
): void {
  const row = lines << 3;
  const step = rest * row;
  const n = done * rest * radix;
  const part = n / radix;
  for (let k: usize = 0; k < done; k++) {
    for (let b: usize = 0; b < step; b += 16) {
      const at = k * radix * step + b;
      for (let r: usize = 0; r < radix; r++) {
        const turn = (k * r * rest) << 3;
        const c = v128.load64_splat(cos + turn);
        const s = v128.load64_splat(sin + turn);
        const x = v128.load(re + at + r * step);
        const y = v128.load(im + at + r * step);
        v128.store(terms + (r << 5), turnX(x, y, c, s));
        v128.store(terms + (r << 5), turnY(x, y, c, s), 16);
      }
      for (let s: usize = 0; s < radix; s++) {
        let x = v128.load(terms);
        let y = v128.load(terms, 16);
        let turn = s * part;
        for (let r: usize = 1; r < radix; r++) {
          const c = v128.load64_splat(cos + (turn << 3));
          const w = v128.load64_splat(sin + (turn << 3));
          const tx = v128.load(terms + (r << 5));
          const ty = v128.load(terms + (r << 5), 16);
          x = f64x2.add(x, turnX(tx, ty, c, w));
          y = f64x2.add(y, turnY(tx, ty, c, w));
          turn += s * part;
          if (turn >= n) turn -= n;
        }
        const o = (k + s * done) * step + b;
        v128.store(toRe + o, x);
        v128.store(toIm + o, y);
      }
    }
  }
}
