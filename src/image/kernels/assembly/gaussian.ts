// SciPy's Gaussian in double precision (src/scenarios/corruptions/shared/gaussian.ts): the middle, then pairs from the
// outermost inwards, in its order of summation. Sixteen numbers at a time; rows have room for so many past their end.

/** Bytes by way of a table of 256 doubles. */
export function toShares(bytes: usize, count: usize, shares: usize, to: usize): void {
  for (let i: usize = 0; i < count; i++) {
    store<f64>(to + (i << 3), load<f64>(shares + (usize(load<u8>(bytes + i)) << 3)));
  }
}

// @ts-ignore: decorator
@inline
function whole(values: usize): v128 {
  const one = f64x2.splat(1);
  const clipped = f64x2.min(f64x2.max(v128.load(values), f64x2.splat(0)), one);
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(clipped, f64x2.splat(255)));
}

/** 0…1 to levels, clipped and truncated; up to seven bytes past the end are written too. */
export function toLevels(values: usize, count: usize, bytes: usize): void {
  for (let i: usize = 0; i < count; i += 8) {
    const from = values + (i << 3);
    const low = v128.shuffle<i64>(whole(from), whole(from + 16), 0, 2);
    const high = v128.shuffle<i64>(whole(from + 32), whole(from + 48), 0, 2);
    const words = i16x8.narrow_i32x4_s(low, high);
    v128.store64_lane(bytes + i, i8x16.narrow_i16x8_u(words, words), 0);
  }
}

/** Over rows whose addresses stand in `rows`, from `radius` above to `radius` below. */
export function gaussianDown(
  rows: usize, weights: usize, radius: usize, to: usize, length: usize,
): void {
  const end = length << 3;
  const first = v128.load64_splat(weights);
  for (let i: usize = 0; i < end; i += 128) {
    const middle = usize(load<u32>(rows + (radius << 2))) + i;
    let s0 = f64x2.mul(v128.load(middle), first);
    let s1 = f64x2.mul(v128.load(middle, 16), first);
    let s2 = f64x2.mul(v128.load(middle, 32), first);
    let s3 = f64x2.mul(v128.load(middle, 48), first);
    let s4 = f64x2.mul(v128.load(middle, 64), first);
    let s5 = f64x2.mul(v128.load(middle, 80), first);
    let s6 = f64x2.mul(v128.load(middle, 96), first);
    let s7 = f64x2.mul(v128.load(middle, 112), first);
    for (let k = radius; k > 0; k--) {
      const a = usize(load<u32>(rows + ((radius - k) << 2))) + i;
      const b = usize(load<u32>(rows + ((radius + k) << 2))) + i;
      const w = v128.load64_splat(weights + (k << 3));
      s0 = f64x2.add(s0, f64x2.mul(f64x2.add(v128.load(a), v128.load(b)), w));
      s1 = f64x2.add(s1, f64x2.mul(f64x2.add(v128.load(a, 16), v128.load(b, 16)), w));
      s2 = f64x2.add(s2, f64x2.mul(f64x2.add(v128.load(a, 32), v128.load(b, 32)), w));
      s3 = f64x2.add(s3, f64x2.mul(f64x2.add(v128.load(a, 48), v128.load(b, 48)), w));
      s4 = f64x2.add(s4, f64x2.mul(f64x2.add(v128.load(a, 64), v128.load(b, 64)), w));
      s5 = f64x2.add(s5, f64x2.mul(f64x2.add(v128.load(a, 80), v128.load(b, 80)), w));
      s6 = f64x2.add(s6, f64x2.mul(f64x2.add(v128.load(a, 96), v128.load(b, 96)), w));
      s7 = f64x2.add(s7, f64x2.mul(f64x2.add(v128.load(a, 112), v128.load(b, 112)), w));
    }
    v128.store(to + i, s0);
    v128.store(to + i, s1, 16);
    v128.store(to + i, s2, 32);
    v128.store(to + i, s3, 48);
    v128.store(to + i, s4, 64);
    v128.store(to + i, s5, 80);
    v128.store(to + i, s6, 96);
    v128.store(to + i, s7, 112);
  }
}

/** Along a row that is continued by `radius` pixels on either side; `from` is its first number proper. */
export function gaussianAcross(
  from: usize, weights: usize, radius: usize, channels: usize, to: usize, length: usize,
): void {
  const end = length << 3;
  const first = v128.load64_splat(weights);
  for (let i: usize = 0; i < end; i += 128) {
    const middle = from + i;
    let s0 = f64x2.mul(v128.load(middle), first);
    let s1 = f64x2.mul(v128.load(middle, 16), first);
    let s2 = f64x2.mul(v128.load(middle, 32), first);
    let s3 = f64x2.mul(v128.load(middle, 48), first);
    let s4 = f64x2.mul(v128.load(middle, 64), first);
    let s5 = f64x2.mul(v128.load(middle, 80), first);
    let s6 = f64x2.mul(v128.load(middle, 96), first);
    let s7 = f64x2.mul(v128.load(middle, 112), first);
    for (let k = radius; k > 0; k--) {
      const apart = (k * channels) << 3;
      const a = middle - apart;
      const b = middle + apart;
      const w = v128.load64_splat(weights + (k << 3));
      s0 = f64x2.add(s0, f64x2.mul(f64x2.add(v128.load(a), v128.load(b)), w));
      s1 = f64x2.add(s1, f64x2.mul(f64x2.add(v128.load(a, 16), v128.load(b, 16)), w));
      s2 = f64x2.add(s2, f64x2.mul(f64x2.add(v128.load(a, 32), v128.load(b, 32)), w));
      s3 = f64x2.add(s3, f64x2.mul(f64x2.add(v128.load(a, 48), v128.load(b, 48)), w));
      s4 = f64x2.add(s4, f64x2.mul(f64x2.add(v128.load(a, 64), v128.load(b, 64)), w));
      s5 = f64x2.add(s5, f64x2.mul(f64x2.add(v128.load(a, 80), v128.load(b, 80)), w));
      s6 = f64x2.add(s6, f64x2.mul(f64x2.add(v128.load(a, 96), v128.load(b, 96)), w));
      s7 = f64x2.add(s7, f64x2.mul(f64x2.add(v128.load(a, 112), v128.load(b, 112)), w));
    }
    v128.store(to + i, s0);
    v128.store(to + i, s1, 16);
    v128.store(to + i, s2, 32);
    v128.store(to + i, s3, 48);
    v128.store(to + i, s4, 64);
    v128.store(to + i, s5, 80);
    v128.store(to + i, s6, 96);
    v128.store(to + i, s7, 112);
  }
}

/** Continues a row on either side; `before` and `after` say which pixel stands for the k-th beyond the edge. */
export function gaussianPad(
  from: usize, radius: usize, channels: usize, length: usize, before: usize, after: usize,
): void {
  const pixel = channels << 3;
  for (let k: usize = 0; k < radius; k++) {
    memory.copy(from - (k + 1) * pixel, from + usize(load<u32>(before + (k << 2))) * pixel, pixel);
    memory.copy(from + (length << 3) + k * pixel, from + usize(load<u32>(after + (k << 2))) * pixel, pixel);
  }
}
