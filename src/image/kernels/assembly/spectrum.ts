// Around the transforms of fft.ts: cosine transforms of a plane, the mean amplitude of a picture, and lengths with large
// prime factors. Numbers are doubles; number j of line t stands at (j · lines + t) · 8 bytes, `lines` is even. Two lines of a
// plane make one complex line. Every sum and product is the one that src/image/fft/ writes out, in its order.

// @ts-ignore: decorator
@inline
function two(at: usize, apart: usize): v128 {
  return v128.load64_lane(at + apart, v128.load64_zero(at), 1);
}

// @ts-ignore: decorator
@inline
function writeTwo(at: usize, apart: usize, values: v128): void {
  v128.store64_lane(at, values, 0);
  v128.store64_lane(at + apart, values, 1);
}

/** Each number times a single. */
export function scaleBy(from: usize, gains: usize, to: usize, count: usize): void {
  let i: usize = 0;
  for (; i + 2 <= count; i += 2) {
    const gain = f64x2.promote_low_f32x4(v128.load64_zero(gains + (i << 2)));
    v128.store(to + (i << 3), f64x2.mul(v128.load(from + (i << 3)), gain));
  }
  if (i < count) store<f64>(to + (i << 3), load<f64>(from + (i << 3)) * f64(load<f32>(gains + (i << 2))));
}

/** A plane's lines in the order of Makhoul 1980, two to a complex line. */
export function cosineForwardIn(
  plane: usize, re: usize, im: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, order: usize,
): void {
  const apart = lineStep << 4;
  const next = lineStep << 3;
  const full = count >> 1;
  for (let j: usize = 0; j < n; j++) {
    const to = (usize(load<i32>(order + (j << 2))) * lines) << 3;
    let from = plane + ((j * step) << 3);
    let pair: usize = 0;
    for (; pair + 2 <= full; pair += 2, from += apart * 2) {
      v128.store(re + to + (pair << 3), two(from, apart));
      v128.store(im + to + (pair << 3), two(from + next, apart));
    }
    for (; pair < lines; pair++, from += apart) {
      const at = to + (pair << 3);
      store<f64>(re + at, pair * 2 < count ? load<f64>(from) : 0);
      store<f64>(im + at, pair < full ? load<f64>(from + next) : 0);
    }
  }
}

/** The spectra of both lines are the even and odd parts; then a quarter turn spread over k. */
export function cosineForwardOut(
  re: usize, im: usize, plane: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize,
  cos: usize, sin: usize,
): void {
  const apart = lineStep << 4;
  const next = lineStep << 3;
  const full = count >> 1;
  const half = f64x2.splat(2);
  for (let k: usize = 0; k < n; k++) {
    const own = (k * lines) << 3;
    const other = ((k ? n - k : k) * lines) << 3;
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    let to = plane + ((k * step) << 3);
    for (let pair: usize = 0; pair * 2 < count; pair += 2, to += apart * 2) {
      const at = pair << 3;
      const x = v128.load(re + own + at);
      const y = v128.load(im + own + at);
      const u = v128.load(re + other + at);
      const v = v128.load(im + other + at);
      const first = f64x2.div(f64x2.add(f64x2.mul(f64x2.add(x, u), c), f64x2.mul(f64x2.sub(y, v), s)), half);
      const second = f64x2.div(f64x2.add(f64x2.mul(f64x2.add(y, v), c), f64x2.mul(f64x2.sub(u, x), s)), half);
      if (pair + 2 <= full) {
        writeTwo(to, apart, first);
        writeTwo(to + next, apart, second);
        continue;
      }
      v128.store64_lane(to, first, 0);
      if (pair < full) v128.store64_lane(to + next, second, 0);
      if (pair * 2 + 2 < count) v128.store64_lane(to + apart, first, 1);
    }
  }
}

/** The way back: what the transform of two lines at once must be given. Conjugated, so that the forward one serves. */
export function cosineInverseIn(
  plane: usize, re: usize, im: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize,
  cos: usize, sin: usize,
): void {
  const apart = lineStep << 4;
  const next = lineStep << 3;
  const full = count >> 1;
  const zero = f64x2.splat(0);
  for (let k: usize = 0; k < n; k++) {
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    const to = (k * lines) << 3;
    let own = plane + ((k * step) << 3);
    let back = plane + (((n - k) * step) << 3);
    for (let pair: usize = 0; pair < lines; pair += 2, own += apart * 2, back += apart * 2) {
      let a = zero;
      let b = zero;
      let a2 = zero;
      let b2 = zero;
      if (pair + 2 <= full) {
        a = two(own, apart);
        b = two(own + next, apart);
        if (k) {
          a2 = two(back, apart);
          b2 = two(back + next, apart);
        }
      } else {
        if (pair * 2 < count) {
          a = v128.load64_zero(own);
          if (k) a2 = v128.load64_zero(back);
        }
        if (pair < full) {
          b = v128.load64_zero(own + next);
          if (k) b2 = v128.load64_zero(back + next);
        }
        if (pair * 2 + 2 < count) {
          a = v128.load64_lane(own + apart, a, 1);
          if (k) a2 = v128.load64_lane(back + apart, a2, 1);
        }
      }
      const aRe = f64x2.add(f64x2.mul(a, c), f64x2.mul(a2, s));
      const aIm = f64x2.sub(f64x2.mul(a, s), f64x2.mul(a2, c));
      const bRe = f64x2.add(f64x2.mul(b, c), f64x2.mul(b2, s));
      const bIm = f64x2.sub(f64x2.mul(b, s), f64x2.mul(b2, c));
      v128.store(re + to + (pair << 3), f64x2.sub(aRe, bIm));
      v128.store(im + to + (pair << 3), f64x2.neg(f64x2.add(aIm, bRe)));
    }
  }
}

/** Back into the plane. */
export function cosineInverseOut(
  re: usize, im: usize, plane: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, order: usize,
): void {
  const apart = lineStep << 4;
  const next = lineStep << 3;
  const full = count >> 1;
  const length = f64x2.splat(f64(n));
  for (let j: usize = 0; j < n; j++) {
    const from = (usize(load<i32>(order + (j << 2))) * lines) << 3;
    let to = plane + ((j * step) << 3);
    for (let pair: usize = 0; pair * 2 < count; pair += 2, to += apart * 2) {
      const first = f64x2.div(v128.load(re + from + (pair << 3)), length);
      const second = f64x2.div(f64x2.neg(v128.load(im + from + (pair << 3))), length);
      if (pair + 2 <= full) {
        writeTwo(to, apart, first);
        writeTwo(to + next, apart, second);
        continue;
      }
      v128.store64_lane(to, first, 0);
      if (pair < full) v128.store64_lane(to + next, second, 0);
      if (pair * 2 + 2 < count) v128.store64_lane(to + apart, first, 1);
    }
  }
}

/** Numbers of [0, 1] as every third byte, rounded as Math.round does it. */
export function toBytes(plane: usize, count: usize, bytes: usize): void {
  for (let i: usize = 0, at = bytes; i < count; i++, at += 3) {
    const value = load<f64>(plane + (i << 3)) * 255;
    // Below a half the sum itself could be rounded up.
    store<u8>(at, value < 0.5 ? 0 : value >= 254.5 ? 255 : u8(value + 0.5));
  }
}

/** Every third byte by way of a table of 256 doubles, two rows of the picture to a complex line. */
export function amplitudeIn(
  bytes: usize, width: usize, height: usize, shares: usize, re: usize, im: usize, lines: usize,
): void {
  const row = width * 3;
  for (let x: usize = 0; x < width; x++) {
    let from = bytes + x * 3;
    const to = (x * lines) << 3;
    for (let pair: usize = 0; pair < lines; pair++, from += row * 2) {
      const at = to + (pair << 3);
      store<f64>(re + at, pair * 2 < height ? load<f64>(shares + (usize(load<u8>(from)) << 3)) : 0);
      store<f64>(im + at, pair * 2 + 1 < height ? load<f64>(shares + (usize(load<u8>(from + row)) << 3)) : 0);
    }
  }
}

/** The spectra of some rows, `columns` of each, as columns of so many to a chunk. */
export function amplitudeSplit(
  re: usize, im: usize, width: usize, height: usize, lines: usize, columns: usize, toRe: usize, toIm: usize,
  perChunk: usize, chunkBytes: usize,
): void {
  const row = perChunk << 3;
  const half = f64x2.splat(2);
  for (let x: usize = 0; x < columns; x++) {
    const k = (x * lines) << 3;
    const m = ((x ? width - x : x) * lines) << 3;
    let to = (x / perChunk) * chunkBytes + ((x % perChunk) << 3);
    for (let pair: usize = 0; pair * 2 < height; pair += 2, to += row * 4) {
      const at = pair << 3;
      const kRe = v128.load(re + k + at);
      const kIm = v128.load(im + k + at);
      const mRe = v128.load(re + m + at);
      const mIm = v128.load(im + m + at);
      const evenRe = f64x2.div(f64x2.add(kRe, mRe), half);
      const evenIm = f64x2.div(f64x2.sub(kIm, mIm), half);
      const oddRe = f64x2.div(f64x2.add(kIm, mIm), half);
      const oddIm = f64x2.div(f64x2.sub(mRe, kRe), half);
      const left = height - pair * 2;
      v128.store64_lane(toRe + to, evenRe, 0);
      v128.store64_lane(toIm + to, evenIm, 0);
      if (left < 2) continue;
      v128.store64_lane(toRe + to + row, oddRe, 0);
      v128.store64_lane(toIm + to + row, oddIm, 0);
      if (left < 3) continue;
      v128.store64_lane(toRe + to + row * 2, evenRe, 1);
      v128.store64_lane(toIm + to + row * 2, evenIm, 1);
      if (left < 4) continue;
      v128.store64_lane(toRe + to + row * 3, oddRe, 1);
      v128.store64_lane(toIm + to + row * 3, oddIm, 1);
    }
  }
}

/** `sum` and the amplitudes of some columns from `first` on, the mirrored half counted too; column by column. */
export function amplitudeTotal(
  re: usize, im: usize, width: usize, height: usize, first: usize, columns: usize, lines: usize, sum: f64,
): f64 {
  const row = lines << 3;
  for (let x: usize = 0; x < columns; x += 2) {
    let both = f64x2.splat(0);
    let at = x << 3;
    for (let y: usize = 0; y < height; y++, at += row) {
      const r = v128.load(re + at);
      const i = v128.load(im + at);
      both = f64x2.add(both, f64x2.sqrt(f64x2.add(f64x2.mul(r, r), f64x2.mul(i, i))));
    }
    sum += times(first + x, width) * f64x2.extract_lane(both, 0);
    if (x + 1 < columns) sum += times(first + x + 1, width) * f64x2.extract_lane(both, 1);
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function times(k: usize, width: usize): f64 {
  return k > 0 && k * 2 != width ? 2 : 1;
}

/** Lines of length `n` turned by a chirp, and zeros up to `size`. */
export function chirpIn(
  re: usize, im: usize, toRe: usize, toIm: usize, lines: usize, n: usize, size: usize, cos: usize, sin: usize,
): void {
  const row = lines << 3;
  for (let k: usize = 0; k < n; k++) {
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    for (let at = k * row, end = at + row; at < end; at += 16) {
      const x = v128.load(re + at);
      const y = v128.load(im + at);
      v128.store(toRe + at, f64x2.add(f64x2.mul(x, c), f64x2.mul(y, s)));
      v128.store(toIm + at, f64x2.sub(f64x2.mul(y, c), f64x2.mul(x, s)));
    }
  }
  memory.fill(toRe + n * row, 0, (size - n) * row);
  memory.fill(toIm + n * row, 0, (size - n) * row);
}

/** Times the chirp's own transform, conjugated. In place. */
export function chirpTimes(re: usize, im: usize, lines: usize, size: usize, kernelRe: usize, kernelIm: usize): void {
  const row = lines << 3;
  for (let k: usize = 0; k < size; k++) {
    const c = v128.load64_splat(kernelRe + (k << 3));
    const s = v128.load64_splat(kernelIm + (k << 3));
    for (let at = k * row, end = at + row; at < end; at += 16) {
      const x = v128.load(re + at);
      const y = v128.load(im + at);
      v128.store(re + at, f64x2.sub(f64x2.mul(x, c), f64x2.mul(y, s)));
      v128.store(im + at, f64x2.neg(f64x2.add(f64x2.mul(x, s), f64x2.mul(y, c))));
    }
  }
}

export function chirpOut(
  re: usize, im: usize, toRe: usize, toIm: usize, lines: usize, n: usize, size: usize, cos: usize, sin: usize,
): void {
  const row = lines << 3;
  const length = f64x2.splat(f64(size));
  for (let k: usize = 0; k < n; k++) {
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    for (let at = k * row, end = at + row; at < end; at += 16) {
      const x = v128.load(re + at);
      const y = v128.load(im + at);
      v128.store(toRe + at, f64x2.div(f64x2.sub(f64x2.mul(x, c), f64x2.mul(y, s)), length));
      v128.store(toIm + at, f64x2.div(f64x2.sub(f64x2.mul(f64x2.neg(y), c), f64x2.mul(x, s)), length));
    }
  }
}
