// Closed-form matting: every number is computed in the order and the precision that is written here, two unknowns side by
// side, so that the result does not depend on how wide the processor's vectors are.

/**
 * Unknowns that are neighbours in a line of the grid become pairs: `items` gets place and row of each (and −1 − row of one
 * without a neighbour), `paired` their weights in turns. Returns how many there are.
 */
export function mattePairs(places: usize, count: i32, weights: usize, items: usize, paired: usize): i32 {
  let made = 0;
  for (let row = 0; row < count; made++) {
    const place = load<i32>(places + ((<usize>row) << 2));
    const isPair = row + 1 < count && load<i32>(places + ((<usize>row) << 2), 4) === place + 1;
    store<i32>(items + ((<usize>made) << 3), place);
    store<i32>(items + ((<usize>made) << 3), isPair ? row : -1 - row, 4);
    const from = weights + (<usize>row) * 100;
    const to = paired + (<usize>made) * 200;
    for (let k: usize = 0; k < 25; k++) {
      store<f32>(to + (k << 3), load<f32>(from + (k << 2)));
      store<f32>(to + (k << 3), isPair ? load<f32>(from + (k << 2), 100) : 0, 4);
    }
    row += isPair ? 2 : 1;
  }
  return made;
}

// @ts-ignore: decorator
@inline
function line(w: usize, a: v128, b: v128, c: v128, d: v128, e: v128): v128 {
  const first = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w)), a);
  const second = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 8)), b);
  const third = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 16)), c);
  const fourth = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 24)), d);
  const fifth = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 32)), e);
  return f64x2.add(f64x2.add(f64x2.add(f64x2.add(first, second), third), fourth), fifth);
}

/**
 * The system times `x` (a grid with a margin of 2), by rows into `out`; returns the sum of x · out over the unknowns. Two
 * pairs beside each other share what they read.
 */
export function matteMultiply(items: usize, count: i32, stride: i32, paired: usize, x: usize, out: usize): f64 {
  const step = (<usize>stride) << 3;
  const end = items + ((<usize>count) << 3);
  let sum: f64 = 0;
  while (items < end) {
    const place = load<i32>(items);
    const row = load<i32>(items, 4);
    const here = x + ((<usize>place) << 3);
    let p = here - 2 * step - 16;
    const next = items + 8 < end ? load<i32>(items, 12) : -1;
    if (row >= 0 && next >= 0 && load<i32>(items, 8) === place + 2) {
      let left = f64x2.splat(0);
      let right = f64x2.splat(0);
      for (let w = paired; w < paired + 200; w += 40, p += step) {
        const c = v128.load(p, 16);
        const d = v128.load(p, 24);
        const e = v128.load(p, 32);
        left = f64x2.add(left, line(w, v128.load(p), v128.load(p, 8), c, d, e));
        right = f64x2.add(right, line(w + 200, c, d, e, v128.load(p, 40), v128.load(p, 48)));
      }
      v128.store(out + ((<usize>row) << 3), left);
      v128.store(out + ((<usize>row) << 3), right, 16);
      sum += load<f64>(here) * f64x2.extract_lane(left, 0);
      sum += load<f64>(here, 8) * f64x2.extract_lane(left, 1);
      sum += load<f64>(here, 16) * f64x2.extract_lane(right, 0);
      sum += load<f64>(here, 24) * f64x2.extract_lane(right, 1);
      items += 16;
      paired += 400;
      continue;
    }
    let total = f64x2.splat(0);
    for (let w = paired; w < paired + 200; w += 40, p += step) {
      const two = line(w, v128.load(p), v128.load(p, 8), v128.load(p, 16), v128.load(p, 24), v128.load(p, 32));
      total = f64x2.add(total, two);
    }
    const first = f64x2.extract_lane(total, 0);
    sum += load<f64>(here) * first;
    if (row < 0) {
      store<f64>(out + ((<usize>(-1 - row)) << 3), first);
    } else {
      v128.store(out + ((<usize>row) << 3), total);
      sum += load<f64>(here, 8) * f64x2.extract_lane(total, 1);
    }
    items += 8;
    paired += 200;
  }
  return sum;
}

/** The residual after a step of this length along the direction that made `product`; returns its new energy. */
export function matteStep(count: i32, length: f64, product: usize, residual: usize, inverseDiagonal: usize): f64 {
  let energy: f64 = 0;
  const end = (<usize>count) << 3;
  let row: usize = 0;
  for (; row + 8 < end; row += 16) {
    const rest = f64x2.sub(v128.load(residual + row), f64x2.mul(f64x2.splat(length), v128.load(product + row)));
    v128.store(residual + row, rest);
    const two = f64x2.mul(f64x2.mul(rest, rest), v128.load(inverseDiagonal + row));
    energy += f64x2.extract_lane(two, 0);
    energy += f64x2.extract_lane(two, 1);
  }
  if (row < end) {
    const rest = load<f64>(residual + row) - length * load<f64>(product + row);
    store<f64>(residual + row, rest);
    energy += rest * rest * load<f64>(inverseDiagonal + row);
  }
  return energy;
}

/** Goes `length` along `direction` in `grid`; the next one is the preconditioned residual and `turn` times this one. */
export function matteTurn(
  items: usize,
  count: i32,
  length: f64,
  turn: f64,
  grid: usize,
  direction: usize,
  residual: usize,
  inverseDiagonal: usize,
): void {
  for (const end = items + ((<usize>count) << 3); items < end; items += 8) {
    const place = (<usize>load<i32>(items)) << 3;
    const row = load<i32>(items, 4);
    if (row < 0) {
      const at = (<usize>(-1 - row)) << 3;
      const old = load<f64>(direction + place);
      store<f64>(grid + place, load<f64>(grid + place) + length * old);
      store<f64>(direction + place, load<f64>(inverseDiagonal + at) * load<f64>(residual + at) + turn * old);
      continue;
    }
    const at = (<usize>row) << 3;
    const old = v128.load(direction + place);
    v128.store(grid + place, f64x2.add(v128.load(grid + place), f64x2.mul(f64x2.splat(length), old)));
    const steepest = f64x2.mul(v128.load(inverseDiagonal + at), v128.load(residual + at));
    v128.store(direction + place, f64x2.add(steepest, f64x2.mul(f64x2.splat(turn), old)));
  }
}

/** Numbers the uncertain pixels: `rowOf` (−1 elsewhere) and their `places` in a grid with a margin of 2. Returns how many. */
export function matteNumber(uncertain: usize, width: i32, height: i32, rowOf: usize, places: usize): i32 {
  let row = 0;
  for (let y = 0, i: usize = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const here = i32(load<u8>(uncertain + i) !== 0);
      store<i32>(rowOf + (i << 2), here ? row : -1);
      store<i32>(places + ((<usize>row) << 2), (y + 2) * (width + 4) + x + 2);
      row += here;
    }
  }
  return row;
}

/** The solved values of the uncertain pixels, no less than 0 and no more than 1. */
export function matteTake(uncertain: usize, width: i32, height: i32, grid: usize, alpha: usize): void {
  for (let y = 0, i: usize = 0; y < height; y++) {
    const from = grid + ((<usize>((y + 2) * (width + 4) + 2)) << 3);
    for (let x = 0; x < width; x++, i++) {
      if (!load<u8>(uncertain + i)) continue;
      store<f64>(alpha + (i << 3), min<f64>(1, max<f64>(0, load<f64>(from + ((<usize>x) << 3)))));
    }
  }
}

// @ts-ignore: decorator
@inline
function rounded(value: f64): u8 {
  const whole = floor(value);
  return u8(value - whole >= 0.5 ? whole + 1 : whole);
}

/**
 * Writes what was found in a part of the picture, `width` × `height` from `first` on, where it is `uncertain`: coverage (0
 * to 1) into `levels`, the object's own colours into `colour`; both and `uncertain` are as wide as the picture.
 */
export function matteWrite(
  alpha: usize,
  own: usize,
  width: i32,
  height: i32,
  first: usize,
  pictureWidth: usize,
  uncertain: usize,
  levels: usize,
  colour: usize,
): void {
  for (let y = 0; y < height; y++) {
    let to = first + <usize>y * pictureWidth;
    for (let x = 0; x < width; x++, to++, alpha += 8, own += 12) {
      if (!load<u8>(uncertain + to)) continue;
      store<u8>(levels + to, rounded(load<f64>(alpha) * 255));
      store<u8>(colour + to * 3, rounded(load<f32>(own)));
      store<u8>(colour + to * 3, rounded(load<f32>(own, 4)), 1);
      store<u8>(colour + to * 3, rounded(load<f32>(own, 8)), 2);
    }
  }
}
