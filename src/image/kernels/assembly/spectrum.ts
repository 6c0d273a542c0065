// Around the transforms of fft.ts: cosine transforms of a plane, and the mean amplitude of a picture. Numbers are doubles;
// lines stand two to a vector as described there. Two lines of a plane make one complex line. Every sum and product is the one
// that src/image/fft/ writes out, in its order.

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

/** Numbers of four lines of a plane: of the first and the third, and of the second and the fourth. */
let evenLines: v128 = i32x4.splat(0);
let oddLines: v128 = i32x4.splat(0);

// @ts-ignore: decorator
@inline
function fourLines(at: usize, lineStep: usize): void {
  if (lineStep == 1) {
    const near = v128.load(at);
    const far = v128.load(at, 16);
    evenLines = v128.shuffle<i64>(near, far, 0, 2);
    oddLines = v128.shuffle<i64>(near, far, 1, 3);
  } else {
    evenLines = two(at, lineStep << 4);
    oddLines = two(at + (lineStep << 3), lineStep << 4);
  }
}

/** The same of the last lines, `left` of four; the others are zero. */
function lastLines(at: usize, lineStep: usize, left: usize): void {
  const next = lineStep << 3;
  evenLines = v128.load64_zero(at);
  oddLines = f64x2.splat(0);
  if (left > 1) oddLines = v128.load64_zero(at + next);
  if (left > 2) evenLines = v128.load64_lane(at + 2 * next, evenLines, 1);
}

// @ts-ignore: decorator
@inline
function writeLines(at: usize, lineStep: usize, even: v128, odd: v128): void {
  if (lineStep == 1) {
    v128.store(at, v128.shuffle<i64>(even, odd, 0, 2));
    v128.store(at, v128.shuffle<i64>(even, odd, 1, 3), 16);
  } else {
    writeTwo(at, lineStep << 4, even);
    writeTwo(at + (lineStep << 3), lineStep << 4, odd);
  }
}

function writeLast(at: usize, lineStep: usize, left: usize, even: v128, odd: v128): void {
  const next = lineStep << 3;
  v128.store64_lane(at, even, 0);
  if (left > 1) v128.store64_lane(at + next, odd, 0);
  if (left > 2) v128.store64_lane(at + 2 * next, even, 1);
}

/** `count` of a plane's lines, at most twice as many as `lines`, in the order of Makhoul 1980. */
export function cosineForwardIn(
  plane: usize, to: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, order: usize,
): void {
  const row = lines << 4;
  const full = count & ~3;
  for (let j: usize = 0; j < n; j++) {
    let o = to + usize(load<i32>(order + (j << 2))) * row;
    let from = plane + ((j * step) << 3);
    let line: usize = 0;
    for (; line < full; line += 4, from += lineStep << 5, o += 32) {
      fourLines(from, lineStep);
      v128.store(o, evenLines);
      v128.store(o, oddLines, 16);
    }
    if (line == count) continue;
    lastLines(from, lineStep, count - line);
    v128.store(o, evenLines);
    v128.store(o, oddLines, 16);
  }
}

/** The spectra of both lines are the even and odd parts; then a quarter turn spread over k. */
export function cosineForwardOut(
  from: usize, plane: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, cos: usize, sin: usize,
): void {
  const row = lines << 4;
  const half = f64x2.splat(0.5);
  for (let k: usize = 0; k < n; k++) {
    let own = from + k * row;
    let other = from + (k ? n - k : k) * row;
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    let to = plane + ((k * step) << 3);
    for (let line: usize = 0; line < count; line += 4, to += lineStep << 5, own += 32, other += 32) {
      const x = v128.load(own);
      const y = v128.load(own, 16);
      const u = v128.load(other);
      const v = v128.load(other, 16);
      const first = f64x2.mul(f64x2.add(f64x2.mul(f64x2.add(x, u), c), f64x2.mul(f64x2.sub(y, v), s)), half);
      const second = f64x2.mul(f64x2.add(f64x2.mul(f64x2.add(y, v), c), f64x2.mul(f64x2.sub(u, x), s)), half);
      if (line + 4 <= count) writeLines(to, lineStep, first, second);
      else writeLast(to, lineStep, count - line, first, second);
    }
  }
}

/** The way back: what the transform of two lines at once must be given. Conjugated, so that the forward one serves. */
export function cosineInverseIn(
  plane: usize, to: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, cos: usize, sin: usize,
): void {
  const row = lines << 4;
  const zero = f64x2.splat(0);
  for (let k: usize = 0; k < n; k++) {
    const c = v128.load64_splat(cos + (k << 3));
    const s = v128.load64_splat(sin + (k << 3));
    let o = to + k * row;
    let own = plane + ((k * step) << 3);
    let back = plane + (((n - k) * step) << 3);
    for (let line: usize = 0; line < count; line += 4, own += lineStep << 5, back += lineStep << 5, o += 32) {
      const isFull = line + 4 <= count;
      if (isFull) fourLines(own, lineStep);
      else lastLines(own, lineStep, count - line);
      const a = evenLines;
      const b = oddLines;
      evenLines = zero;
      oddLines = zero;
      if (k) {
        if (isFull) fourLines(back, lineStep);
        else lastLines(back, lineStep, count - line);
      }
      const a2 = evenLines;
      const b2 = oddLines;
      const aRe = f64x2.add(f64x2.mul(a, c), f64x2.mul(a2, s));
      const aIm = f64x2.sub(f64x2.mul(a, s), f64x2.mul(a2, c));
      const bRe = f64x2.add(f64x2.mul(b, c), f64x2.mul(b2, s));
      const bIm = f64x2.sub(f64x2.mul(b, s), f64x2.mul(b2, c));
      v128.store(o, f64x2.sub(aRe, bIm));
      v128.store(o, f64x2.neg(f64x2.add(aIm, bRe)), 16);
    }
  }
}

/** Back into the plane. */
export function cosineInverseOut(
  from: usize, plane: usize, count: usize, n: usize, lineStep: usize, step: usize, lines: usize, order: usize,
): void {
  const row = lines << 4;
  const length = f64x2.splat(f64(n));
  const share = f64x2.splat(1 / f64(n));
  // Exact for powers of two alone.
  const isPower = (n & (n - 1)) == 0;
  for (let j: usize = 0; j < n; j++) {
    let at = from + usize(load<i32>(order + (j << 2))) * row;
    let to = plane + ((j * step) << 3);
    for (let line: usize = 0; line < count; line += 4, to += lineStep << 5, at += 32) {
      const x = v128.load(at);
      const y = f64x2.neg(v128.load(at, 16));
      const first = isPower ? f64x2.mul(x, share) : f64x2.div(x, length);
      const second = isPower ? f64x2.mul(y, share) : f64x2.div(y, length);
      if (line + 4 <= count) writeLines(to, lineStep, first, second);
      else writeLast(to, lineStep, count - line, first, second);
    }
  }
}

// @ts-ignore: decorator
@inline
function byteOf(value: f64): u8 {
  // Below a half the sum itself could be rounded up.
  return value < 0.5 ? 0 : value >= 254.5 ? 255 : u8(value + 0.5);
}

/** Numbers of [0, 1] as every third byte, rounded as Math.round does it. */
export function toBytes(plane: usize, count: usize, bytes: usize): void {
  const most = f64x2.splat(255);
  const half = f64x2.splat(0.5);
  let i: usize = 0;
  let at = bytes;
  for (; i + 2 <= count; i += 2, at += 6) {
    const value = f64x2.mul(v128.load(plane + (i << 3)), most);
    const rounded = f64x2.min(f64x2.add(value, half), most);
    const whole = i32x4.trunc_sat_f64x2_u_zero(v128.and(rounded, f64x2.ge(value, half)));
    store<u8>(at, u8(i32x4.extract_lane(whole, 0)));
    store<u8>(at, u8(i32x4.extract_lane(whole, 1)), 3);
  }
  if (i < count) store<u8>(at, byteOf(load<f64>(plane + (i << 3)) * 255));
}

// @ts-ignore: decorator
@inline
function share(shares: usize, byte: usize): usize {
  return shares + (usize(load<u8>(byte)) << 3);
}

/** Every third byte by way of a table of 256 doubles, two rows of the picture to a complex line. */
export function amplitudeIn(bytes: usize, width: usize, height: usize, shares: usize, to: usize, lines: usize): void {
  const row = width * 3;
  for (let x: usize = 0; x < width; x++) {
    let from = bytes + x * 3;
    let o = to + x * (lines << 4);
    for (let y: usize = 0; y < height; y += 4, from += row * 4, o += 32) {
      let re = v128.load64_zero(share(shares, from));
      let im = f64x2.splat(0);
      if (y + 1 < height) im = v128.load64_zero(share(shares, from + row));
      if (y + 2 < height) re = v128.load64_lane(share(shares, from + row * 2), re, 1);
      if (y + 3 < height) im = v128.load64_lane(share(shares, from + row * 3), im, 1);
      v128.store(o, re);
      v128.store(o, im, 16);
    }
  }
}

/** The spectra of some rows, `columns` of each, as columns of so many to a chunk; of four rows and two columns at a time. */
export function amplitudeSplit(
  from: usize, width: usize, height: usize, lines: usize, columns: usize, to: usize, perChunk: usize, chunkBytes: usize,
): void {
  const row = lines << 4;
  const down = perChunk << 4;
  const half = f64x2.splat(0.5);
  for (let x: usize = 0; x < columns; x += 2) {
    // Past the last column anything may stand: it is left out in the end.
    const right = x + 1 < width ? x + 1 : x;
    let k = from + x * row;
    let m = from + (x ? width - x : x) * row;
    let k1 = from + right * row;
    let m1 = from + (right ? width - right : right) * row;
    let o = to + (x / perChunk) * chunkBytes + ((x % perChunk) << 4);
    for (let y: usize = 0; y < height; y += 4) {
      const kRe = v128.load(k);
      const kIm = v128.load(k, 16);
      const mRe = v128.load(m);
      const mIm = v128.load(m, 16);
      const evenRe = f64x2.mul(f64x2.add(kRe, mRe), half);
      const evenIm = f64x2.mul(f64x2.sub(kIm, mIm), half);
      const oddRe = f64x2.mul(f64x2.add(kIm, mIm), half);
      const oddIm = f64x2.mul(f64x2.sub(mRe, kRe), half);
      const kRe1 = v128.load(k1);
      const kIm1 = v128.load(k1, 16);
      const mRe1 = v128.load(m1);
      const mIm1 = v128.load(m1, 16);
      const evenRe1 = f64x2.mul(f64x2.add(kRe1, mRe1), half);
      const evenIm1 = f64x2.mul(f64x2.sub(kIm1, mIm1), half);
      const oddRe1 = f64x2.mul(f64x2.add(kIm1, mIm1), half);
      const oddIm1 = f64x2.mul(f64x2.sub(mRe1, kRe1), half);
      v128.store(o, v128.shuffle<i64>(evenRe, evenRe1, 0, 2));
      v128.store(o, v128.shuffle<i64>(evenIm, evenIm1, 0, 2), 16);
      o += down;
      if (y + 1 < height) {
        v128.store(o, v128.shuffle<i64>(oddRe, oddRe1, 0, 2));
        v128.store(o, v128.shuffle<i64>(oddIm, oddIm1, 0, 2), 16);
      }
      o += down;
      if (y + 2 < height) {
        v128.store(o, v128.shuffle<i64>(evenRe, evenRe1, 1, 3));
        v128.store(o, v128.shuffle<i64>(evenIm, evenIm1, 1, 3), 16);
      }
      o += down;
      if (y + 3 < height) {
        v128.store(o, v128.shuffle<i64>(oddRe, oddRe1, 1, 3));
        v128.store(o, v128.shuffle<i64>(oddIm, oddIm1, 1, 3), 16);
      }
      o += down;
      k += 32;
      m += 32;
      k1 += 32;
      m1 += 32;
    }
  }
}

/** `sum` and the amplitudes of some columns from `first` on, the mirrored half counted too; column by column. */
export function amplitudeTotal(
  from: usize, width: usize, height: usize, first: usize, columns: usize, lines: usize, sum: f64,
): f64 {
  const row = lines << 4;
  for (let x: usize = 0; x < columns; x += 2) {
    let both = f64x2.splat(0);
    let at = from + (x << 4);
    for (let y: usize = 0; y < height; y++, at += row) {
      const r = v128.load(at);
      const i = v128.load(at, 16);
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
