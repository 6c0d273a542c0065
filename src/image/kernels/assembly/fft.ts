/**
 * One pass of Stockham's transform over `lines` transforms side by side; `lines` is even, and two lines share a vector:
 * number e of lines 2t and 2t + 1 stands at (e · lines + 2t) · 16 bytes, the real parts of both and then the imaginary ones.
 * Each line sees the same operations in the same order as the scalar transform of src/image/fft/transform.ts, but for turns
 * by nothing, which are left out: the results are the same to the bit (of zeros, but for the sign).
 */

// @ts-ignore: decorator
@inline
export function turnX(x: v128, y: v128, c: v128, s: v128): v128 {
  return f64x2.sub(f64x2.mul(x, c), f64x2.mul(y, s));
}

// @ts-ignore: decorator
@inline
export function turnY(x: v128, y: v128, c: v128, s: v128): v128 {
  return f64x2.add(f64x2.mul(x, s), f64x2.mul(y, c));
}

export function fftJoinTwo(
  from: usize, to: usize, lines: usize, done: usize, rest: usize, cos: usize, sin: usize,
): void {
  const step = rest * (lines << 4);
  const far = done * step;
  let a = from;
  let o = to;
  for (let k: usize = 0; k < done; k++) {
    const c = v128.load64_splat(cos + ((k * rest) << 3));
    const s = v128.load64_splat(sin + ((k * rest) << 3));
    for (const end = a + step; a < end; a += 32, o += 32) {
      const b = a + step;
      const p = o + far;
      const x1 = v128.load(b);
      const y1 = v128.load(b, 16);
      const x = turnX(x1, y1, c, s);
      const y = turnY(x1, y1, c, s);
      const x0 = v128.load(a);
      const y0 = v128.load(a, 16);
      v128.store(o, f64x2.add(x0, x));
      v128.store(o, f64x2.add(y0, y), 16);
      v128.store(p, f64x2.sub(x0, x));
      v128.store(p, f64x2.sub(y0, y), 16);
    }
    a += step;
  }
}

/** What four numbers, the last three already turned, become. */
// @ts-ignore: decorator
@inline
export function four(
  x0: v128, y0: v128, x1: v128, y1: v128, x2: v128, y2: v128, x3: v128, y3: v128,
  o0: usize, o1: usize, o2: usize, o3: usize,
): void {
  const evenX = f64x2.add(x0, x2);
  const evenY = f64x2.add(y0, y2);
  v128.store(o0, f64x2.add(f64x2.add(evenX, x1), x3));
  v128.store(o0, f64x2.add(f64x2.add(evenY, y1), y3), 16);
  v128.store(o2, f64x2.sub(f64x2.sub(evenX, x1), x3));
  v128.store(o2, f64x2.sub(f64x2.sub(evenY, y1), y3), 16);
  const plusX = f64x2.sub(x0, x2);
  const plusY = f64x2.sub(y0, y2);
  v128.store(o1, f64x2.sub(f64x2.add(plusX, y1), y3));
  v128.store(o1, f64x2.add(f64x2.sub(plusY, x1), x3), 16);
  v128.store(o3, f64x2.add(f64x2.sub(plusX, y1), y3));
  v128.store(o3, f64x2.sub(f64x2.add(plusY, x1), x3), 16);
}

export function fftJoinFour(
  from: usize, to: usize, lines: usize, done: usize, rest: usize, cos: usize, sin: usize,
): void {
  const step = rest * (lines << 4);
  const far = done * step;
  let p0 = from;
  let p1 = p0 + step;
  let p2 = p1 + step;
  let p3 = p2 + step;
  let o0 = to;
  let o1 = o0 + far;
  let o2 = o1 + far;
  let o3 = o2 + far;
  for (let left = step; left > 0; left -= 32) {
    four(
      v128.load(p0), v128.load(p0, 16), v128.load(p1), v128.load(p1, 16),
      v128.load(p2), v128.load(p2, 16), v128.load(p3), v128.load(p3, 16), o0, o1, o2, o3,
    );
    p0 += 32;
    p1 += 32;
    p2 += 32;
    p3 += 32;
    o0 += 32;
    o1 += 32;
    o2 += 32;
    o3 += 32;
  }
  const skip = 3 * step;
  for (let k: usize = 1; k < done; k++) {
    p0 += skip;
    p1 += skip;
    p2 += skip;
    p3 += skip;
    const turn = (k * rest) << 3;
    const c1 = v128.load64_splat(cos + turn);
    const c2 = v128.load64_splat(cos + 2 * turn);
    const c3 = v128.load64_splat(cos + 3 * turn);
    const s1 = v128.load64_splat(sin + turn);
    const s2 = v128.load64_splat(sin + 2 * turn);
    const s3 = v128.load64_splat(sin + 3 * turn);
    for (let left = step; left > 0; left -= 32) {
      const r1 = v128.load(p1);
      const m1 = v128.load(p1, 16);
      const r2 = v128.load(p2);
      const m2 = v128.load(p2, 16);
      const r3 = v128.load(p3);
      const m3 = v128.load(p3, 16);
      four(
        v128.load(p0), v128.load(p0, 16), turnX(r1, m1, c1, s1), turnY(r1, m1, c1, s1),
        turnX(r2, m2, c2, s2), turnY(r2, m2, c2, s2), turnX(r3, m3, c3, s3), turnY(r3, m3, c3, s3), o0, o1, o2, o3,
      );
      p0 += 32;
      p1 += 32;
      p2 += 32;
      p3 += 32;
      o0 += 32;
      o1 += 32;
      o2 += 32;
      o3 += 32;
    }
  }
}

/** Any radix; `terms` has room for 2 · radix vectors. */
export function fftJoinAny(
  from: usize, to: usize, lines: usize, done: usize, rest: usize, cos: usize, sin: usize, radix: usize, terms: usize,
): void {
  const step = rest * (lines << 4);
  const n = done * rest * radix;
  const part = (n / radix) << 3;
  const round = n << 3;
  const far = done * step;
  const end = terms + (radix << 5);
  for (let k: usize = 0; k < done; k++) {
    const turnStep = (k * rest) << 3;
    for (let b: usize = 0; b < step; b += 32) {
      let at = from + k * radix * step + b;
      let sumX = v128.load(at);
      let sumY = v128.load(at, 16);
      const x0 = sumX;
      const y0 = sumY;
      // The first result is the plain sum.
      for (let term = terms + 32, turn = turnStep; term < end; term += 32, turn += turnStep) {
        at += step;
        const c = v128.load64_splat(cos + turn);
        const s = v128.load64_splat(sin + turn);
        const x = v128.load(at);
        const y = v128.load(at, 16);
        const tx = turnX(x, y, c, s);
        const ty = turnY(x, y, c, s);
        v128.store(term, tx);
        v128.store(term, ty, 16);
        sumX = f64x2.add(sumX, tx);
        sumY = f64x2.add(sumY, ty);
      }
      let o = to + k * step + b;
      v128.store(o, sumX);
      v128.store(o, sumY, 16);
      for (let first = part; first < round; first += part) {
        let x = x0;
        let y = y0;
        for (let term = terms + 32, turn = first; term < end; term += 32) {
          const c = v128.load64_splat(cos + turn);
          const s = v128.load64_splat(sin + turn);
          const tx = v128.load(term);
          const ty = v128.load(term, 16);
          x = f64x2.add(x, turnX(tx, ty, c, s));
          y = f64x2.add(y, turnY(tx, ty, c, s));
          turn += first;
          if (turn >= round) turn -= round;
        }
        o += far;
        v128.store(o, x);
        v128.store(o, y, 16);
      }
    }
  }
}

/** Real and imaginary parts from planes of their own, and back; `count` numbers of all lines. */
export function fftWeave(re: usize, im: usize, to: usize, count: usize): void {
  for (let i: usize = 0; i < count << 3; i += 16) {
    v128.store(to + (i << 1), v128.load(re + i));
    v128.store(to + (i << 1), v128.load(im + i), 16);
  }
}

export function fftUnweave(from: usize, re: usize, im: usize, count: usize): void {
  for (let i: usize = 0; i < count << 3; i += 16) {
    v128.store(re + i, v128.load(from + (i << 1)));
    v128.store(im + i, v128.load(from + (i << 1), 16));
  }
}
