// Transforms of any length as a convolution (Bluestein 1970), around the passes of fft.ts. The size of the convolution is a
// power of two, at least twice the length and less than four times: half of what goes in is zeros and half of what comes
// out is not asked for, so the first and the last pass are made here, with less to do.
import { four, turnX, turnY } from './fft';

/** Lines of length `n` turned by a chirp, zeros up to `size`, and the first pass (by four) of the transform. */
export function chirpIn(from: usize, to: usize, lines: usize, n: usize, size: usize, cos: usize, sin: usize): void {
  const row = lines << 4;
  const quarter = size >> 2;
  const far = quarter * row;
  for (let k: usize = 0; k < quarter; k++) {
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    const later = k + quarter < n;
    const c1 = v128.load64_splat(cos + ((k + quarter) << 3));
    const s1 = v128.load64_splat(sin + ((k + quarter) << 3));
    let a = from + k * row;
    let o = to + k * row;
    for (const end = a + row; a < end; a += 32, o += 32) {
      const x = v128.load(a);
      const y = v128.load(a, 16);
      const x0 = f64x2.add(f64x2.mul(x, c), f64x2.mul(y, s));
      const y0 = f64x2.sub(f64x2.mul(y, c), f64x2.mul(x, s));
      let x1 = f64x2.splat(0);
      let y1 = x1;
      if (later) {
        const u = v128.load(a + far);
        const v = v128.load(a + far, 16);
        x1 = f64x2.add(f64x2.mul(u, c1), f64x2.mul(v, s1));
        y1 = f64x2.sub(f64x2.mul(v, c1), f64x2.mul(u, s1));
      }
      const o1 = o + far;
      const o2 = o1 + far;
      const o3 = o2 + far;
      v128.store(o, f64x2.add(x0, x1));
      v128.store(o, f64x2.add(y0, y1), 16);
      v128.store(o1, f64x2.add(x0, y1));
      v128.store(o1, f64x2.sub(y0, x1), 16);
      v128.store(o2, f64x2.sub(x0, x1));
      v128.store(o2, f64x2.sub(y0, y1), 16);
      v128.store(o3, f64x2.sub(x0, y1));
      v128.store(o3, f64x2.add(y0, x1), 16);
    }
  }
}

/** Times the chirp's own transform, conjugated, and the first pass of the transform back. */
export function chirpTimes(
  from: usize, to: usize, lines: usize, size: usize, kernelRe: usize, kernelIm: usize,
): void {
  const row = lines << 4;
  const quarter = size >> 2;
  const far = quarter * row;
  for (let k: usize = 0; k < quarter; k++) {
    const re = kernelRe + (k << 3);
    const im = kernelIm + (k << 3);
    const apart = quarter << 3;
    const c0 = v128.load64_splat(re);
    const s0 = v128.load64_splat(im);
    const c1 = v128.load64_splat(re + apart);
    const s1 = v128.load64_splat(im + apart);
    const c2 = v128.load64_splat(re + 2 * apart);
    const s2 = v128.load64_splat(im + 2 * apart);
    const c3 = v128.load64_splat(re + 3 * apart);
    const s3 = v128.load64_splat(im + 3 * apart);
    let a = from + k * row;
    let o = to + k * row;
    for (const end = a + row; a < end; a += 32, o += 32) {
      const a1 = a + far;
      const a2 = a1 + far;
      const a3 = a2 + far;
      const x0 = v128.load(a);
      const y0 = v128.load(a, 16);
      const x1 = v128.load(a1);
      const y1 = v128.load(a1, 16);
      const x2 = v128.load(a2);
      const y2 = v128.load(a2, 16);
      const x3 = v128.load(a3);
      const y3 = v128.load(a3, 16);
      four(
        turnX(x0, y0, c0, s0), f64x2.neg(turnY(x0, y0, c0, s0)), turnX(x1, y1, c1, s1), f64x2.neg(turnY(x1, y1, c1, s1)),
        turnX(x2, y2, c2, s2), f64x2.neg(turnY(x2, y2, c2, s2)), turnX(x3, y3, c3, s3), f64x2.neg(turnY(x3, y3, c3, s3)),
        o, o + far, o + 2 * far, o + 3 * far,
      );
    }
  }
}

/** Conjugated, turned back and divided by the size, a power of two. */
// @ts-ignore: decorator
@inline
function writeTurned(to: usize, x: v128, y: v128, c: v128, s: v128, share: v128): void {
  v128.store(to, f64x2.mul(turnX(x, y, c, s), share));
  v128.store(to, f64x2.mul(f64x2.sub(f64x2.mul(f64x2.neg(y), c), f64x2.mul(x, s)), share), 16);
}

/** The last pass, by four, as far as its results are asked for. `rootCos` and `rootSin` are those of the size. */
export function chirpOutFour(
  from: usize, to: usize, lines: usize, n: usize, size: usize, cos: usize, sin: usize, rootCos: usize, rootSin: usize,
): void {
  const row = lines << 4;
  const quarter = size >> 2;
  const far = quarter * row;
  const share = f64x2.splat(1 / f64(size));
  let a = from;
  for (let k: usize = 0; k < quarter; k++) {
    const turn = k << 3;
    const c1 = v128.load64_splat(rootCos + turn);
    const c2 = v128.load64_splat(rootCos + 2 * turn);
    const c3 = v128.load64_splat(rootCos + 3 * turn);
    const s1 = v128.load64_splat(rootSin + turn);
    const s2 = v128.load64_splat(rootSin + 2 * turn);
    const s3 = v128.load64_splat(rootSin + 3 * turn);
    const c = v128.load64_splat(cos + turn);
    const s = v128.load64_splat(sin + turn);
    const later = k + quarter < n;
    let o = to + k * row;
    for (const end = a + row; a < end; a += 32, o += 32) {
      const a1 = a + row;
      const a2 = a1 + row;
      const a3 = a2 + row;
      const x0 = v128.load(a);
      const y0 = v128.load(a, 16);
      const r1 = v128.load(a1);
      const m1 = v128.load(a1, 16);
      const r2 = v128.load(a2);
      const m2 = v128.load(a2, 16);
      const r3 = v128.load(a3);
      const m3 = v128.load(a3, 16);
      const x1 = turnX(r1, m1, c1, s1);
      const y1 = turnY(r1, m1, c1, s1);
      const x2 = turnX(r2, m2, c2, s2);
      const y2 = turnY(r2, m2, c2, s2);
      const x3 = turnX(r3, m3, c3, s3);
      const y3 = turnY(r3, m3, c3, s3);
      const x = f64x2.add(f64x2.add(f64x2.add(x0, x2), x1), x3);
      const y = f64x2.add(f64x2.add(f64x2.add(y0, y2), y1), y3);
      writeTurned(o, x, y, c, s, share);
      if (!later) continue;
      const u = f64x2.sub(f64x2.add(f64x2.sub(x0, x2), y1), y3);
      const v = f64x2.add(f64x2.sub(f64x2.sub(y0, y2), x1), x3);
      const place = turn + (quarter << 3);
      writeTurned(o + far, u, v, v128.load64_splat(cos + place), v128.load64_splat(sin + place), share);
    }
    a += 3 * row;
  }
}

/** The same by two. */
export function chirpOutTwo(
  from: usize, to: usize, lines: usize, n: usize, size: usize, cos: usize, sin: usize, rootCos: usize, rootSin: usize,
): void {
  const row = lines << 4;
  const share = f64x2.splat(1 / f64(size));
  let a = from;
  for (let k: usize = 0; k < n; k++) {
    const c1 = v128.load64_splat(rootCos + (k << 3));
    const s1 = v128.load64_splat(rootSin + (k << 3));
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    let o = to + k * row;
    for (const end = a + row; a < end; a += 32, o += 32) {
      const x1 = v128.load(a + row);
      const y1 = v128.load(a + row, 16);
      const x = f64x2.add(v128.load(a), turnX(x1, y1, c1, s1));
      const y = f64x2.add(v128.load(a, 16), turnY(x1, y1, c1, s1));
      writeTurned(o, x, y, c, s, share);
    }
    a += row;
  }
}
