// Products that training spends its time in, in double precision. Lanes hold different sums and every sum runs in the
// order of the plain loops in src/train/matrix.ts, so the numbers are the same to the bit.

// @ts-ignore: decorator
@inline
function less(s: v128, value: v128, at: usize): v128 {
  return f64x2.sub(s, f64x2.mul(value, v128.load(at)));
}

// @ts-ignore: decorator
@inline
function more(s: v128, value: v128, at: usize): v128 {
  return f64x2.add(s, f64x2.mul(value, v128.load(at)));
}

/** Unknown j of twelve right sides beside each other at `b`, rows `stride` bytes apart. */
// @ts-ignore: decorator
@inline
function eliminateTwelve(row: usize, b: usize, stride: usize, j: i32, from: i32, to: i32): void {
  const own = b + <usize>j * stride;
  let s0 = v128.load(own);
  let s1 = v128.load(own, 16);
  let s2 = v128.load(own, 32);
  let s3 = v128.load(own, 48);
  let s4 = v128.load(own, 64);
  let s5 = v128.load(own, 80);
  let at = b + <usize>from * stride;
  for (let m = from; m < to; m++, at += stride) {
    const value = v128.load64_splat(row + (<usize>m << 3));
    s0 = less(s0, value, at);
    s1 = less(s1, value, at + 16);
    s2 = less(s2, value, at + 32);
    s3 = less(s3, value, at + 48);
    s4 = less(s4, value, at + 64);
    s5 = less(s5, value, at + 80);
  }
  const pivot = v128.load64_splat(row + (<usize>j << 3));
  v128.store(own, f64x2.div(s0, pivot));
  v128.store(own, f64x2.div(s1, pivot), 16);
  v128.store(own, f64x2.div(s2, pivot), 32);
  v128.store(own, f64x2.div(s3, pivot), 48);
  v128.store(own, f64x2.div(s4, pivot), 64);
  v128.store(own, f64x2.div(s5, pivot), 80);
}

// @ts-ignore: decorator
@inline
function eliminateFour(row: usize, b: usize, stride: usize, j: i32, from: i32, to: i32): void {
  const own = b + <usize>j * stride;
  let s0 = v128.load(own);
  let s1 = v128.load(own, 16);
  let at = b + <usize>from * stride;
  for (let m = from; m < to; m++, at += stride) {
    const value = v128.load64_splat(row + (<usize>m << 3));
    s0 = less(s0, value, at);
    s1 = less(s1, value, at + 16);
  }
  const pivot = v128.load64_splat(row + (<usize>j << 3));
  v128.store(own, f64x2.div(s0, pivot));
  v128.store(own, f64x2.div(s1, pivot), 16);
}

/** Solves L·Lᵀ·x = b in place, `l` (n × n) mirrored, `b` n × c, c a multiple of four. */
export function linearSolve(l: usize, b: usize, n: i32, c: i32): void {
  const stride = <usize>c << 3;
  const width = <usize>n << 3;
  let k = 0;
  for (; k + 12 <= c; k += 12) {
    const own = b + (<usize>k << 3);
    for (let j = 0; j < n; j++) eliminateTwelve(l + <usize>j * width, own, stride, j, 0, j);
    for (let j = n - 1; j >= 0; j--) eliminateTwelve(l + <usize>j * width, own, stride, j, j + 1, n);
  }
  for (; k < c; k += 4) {
    const own = b + (<usize>k << 3);
    for (let j = 0; j < n; j++) eliminateFour(l + <usize>j * width, own, stride, j, 0, j);
    for (let j = n - 1; j >= 0; j--) eliminateFour(l + <usize>j * width, own, stride, j, j + 1, n);
  }
}

/** `out` (n × c) = Z·V, Z being n × r, V r × c, c even; row i of Z is zero from `ends[i]` on. */
export function linearScores(z: usize, ends: usize, v: usize, out: usize, n: i32, r: i32, c: i32): void {
  const stride = <usize>c << 3;
  const zero = f64x2.splat(0);
  for (let i = 0; i < n; i++) {
    const row = z + (<usize>(i * r) << 3);
    const end = load<i32>(ends + (<usize>i << 2));
    let to = out + <usize>i * stride;
    let k = 0;
    for (; k + 12 <= c; k += 12, to += 96) {
      let s0 = zero;
      let s1 = zero;
      let s2 = zero;
      let s3 = zero;
      let s4 = zero;
      let s5 = zero;
      let at = v + (<usize>k << 3);
      for (let j = 0; j < end; j++, at += stride) {
        const value = v128.load64_splat(row + (<usize>j << 3));
        s0 = more(s0, value, at);
        s1 = more(s1, value, at + 16);
        s2 = more(s2, value, at + 32);
        s3 = more(s3, value, at + 48);
        s4 = more(s4, value, at + 64);
        s5 = more(s5, value, at + 80);
      }
      v128.store(to, s0);
      v128.store(to, s1, 16);
      v128.store(to, s2, 32);
      v128.store(to, s3, 48);
      v128.store(to, s4, 64);
      v128.store(to, s5, 80);
    }
    for (; k < c; k += 2, to += 16) {
      let s = zero;
      let at = v + (<usize>k << 3);
      for (let j = 0; j < end; j++, at += stride) s = more(s, v128.load64_splat(row + (<usize>j << 3)), at);
      v128.store(to, s);
    }
  }
}

/** Adds Rᵀ·Z to `into` (c × r), four rows of R (n × c) and Z (n × r) at a time; n a multiple of four. */
export function linearAddRows(residual: usize, z: usize, ends: usize, into: usize, n: i32, r: i32, c: i32): void {
  const width = <usize>r << 3;
  const across = <usize>c << 3;
  for (let i = 0; i < n; i += 4) {
    const z0 = z + <usize>i * width;
    const last = ends + (<usize>i << 2);
    const end = max(max(load<i32>(last), load<i32>(last, 4)), max(load<i32>(last, 8), load<i32>(last, 12)));
    const bytes = <usize>(end & ~1) << 3;
    for (let k = 0; k < c; k++) {
      const from = residual + <usize>i * across + (<usize>k << 3);
      const a = v128.load64_splat(from);
      const b = v128.load64_splat(from + across);
      const d = v128.load64_splat(from + 2 * across);
      const e = v128.load64_splat(from + 3 * across);
      const row = into + <usize>k * width;
      for (let j: usize = 0; j < bytes; j += 16) {
        const at = z0 + j;
        let sum = f64x2.mul(a, v128.load(at));
        sum = more(sum, b, at + width);
        sum = more(sum, d, at + 2 * width);
        sum = more(sum, e, at + 3 * width);
        v128.store(row + j, f64x2.add(v128.load(row + j), sum));
      }
      if (!(end & 1)) continue;
      const at = z0 + bytes;
      let sum = load<f64>(from) * load<f64>(at);
      sum += load<f64>(from + across) * load<f64>(at + width);
      sum += load<f64>(from + 2 * across) * load<f64>(at + 2 * width);
      sum += load<f64>(from + 3 * across) * load<f64>(at + 3 * width);
      store<f64>(row + bytes, load<f64>(row + bytes) + sum);
    }
  }
}
