// What is made of the patches found (fill.ts): votes, copies, and the join by gradients. A pixel is four bytes: red,
// green, blue, texture; `nearest` holds y << 16 | x.

// @ts-ignore: decorator
@inline
function colourAt(pixels: usize, index: usize): v128 {
  return f32x4.convert_i32x4_s(
    i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixels + (index << 2)))),
  );
}

// @ts-ignore: decorator
@inline
function writeColour(pixels: usize, index: usize, colour: v128): void {
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.add(colour, f32x4.splat(0.5)), f32x4.splat(0)));
  v128.store32_lane(pixels + (index << 2), i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(whole, whole), whole), 0);
}

/** Each missing pixel becomes the weighted mean of what the patches over it propose. `sums` and `totals` start at zero. */
export function fillVote(
  pixels: usize, hole: usize, width: i32, height: i32, side: i32, voters: usize, voterCount: i32,
  nearest: usize, distances: usize, weights: usize, sums: usize, totals: usize, sharpness: f32,
): void {
  for (let i = 0; i < voterCount; i++) {
    const target = load<i32>(voters + (usize(i) << 2));
    const at = usize(target) << 2;
    const d = f32(load<u32>(distances + at));
    const weight = load<f32>(weights + at) * (Mathf.exp(-d * sharpness) + 1e-6);
    const spread = f32x4.splat(weight);
    const source = load<i32>(nearest + at);
    let from = usize((source >> 16) * width + (source & 0xffff));
    let to = usize(target);
    for (let row = 0; row < side; row++, from += usize(width), to += usize(width)) {
      for (let column: usize = 0; column < usize(side); column++) {
        const pixel = to + column;
        const sum = sums + (pixel << 4);
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(colourAt(pixels, from + column), spread)));
        store<f32>(totals + (pixel << 2), load<f32>(totals + (pixel << 2)) + weight);
      }
    }
  }
  for (let i: usize = 0; i < usize(width * height); i++) {
    const weight = load<f32>(totals + (i << 2));
    if (!load<u8>(hole + i) || weight <= 0) continue;
    writeColour(pixels, i, f32x4.mul(v128.load(sums + (i << 4)), f32x4.splat(1 / weight)));
  }
}

/**
 * Chooses, per missing pixel, the one patch over it that fits best: `choices` is the pixel to copy. `scores` begins with
 * the largest number where a pixel is missing and 0 where it is known; it and `choices` have room for a pixel more.
 */
export function fillChoose(
  width: i32, side: i32, targets: usize, targetCount: i32, nearest: usize, distances: usize, scores: usize, choices: usize,
): void {
  const half = side >> 1;
  // Patches have at most eight columns; those past the end never score.
  const columns = i32x4(0, 1, 2, 3);
  const near = i32x4.abs(i32x4.sub(columns, i32x4.splat(half)));
  const far = i32x4.abs(i32x4.sub(i32x4.add(columns, i32x4.splat(4)), i32x4.splat(half)));
  const nearOut = i32x4.ge_s(columns, i32x4.splat(side));
  const farOut = i32x4.ge_s(i32x4.add(columns, i32x4.splat(4)), i32x4.splat(side));
  for (let i = 0; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    const at = usize(target) << 2;
    const d = load<u32>(distances + at);
    const packed = load<i32>(nearest + at);
    const source = (packed >> 16) * width + (packed & 0xffff);
    const base = i32x4.splat(d);
    const step = i32x4.splat(d >> 3);
    for (let row = 0; row < side; row++) {
      const shift = row * width;
      const place = usize(target + shift) << 2;
      const off = i32x4.splat(abs(row - half));
      const from = i32x4.add(i32x4.splat(source + shift), columns);
      // Near ties go to the patch whose middle is nearest.
      choose(i32x4.add(base, i32x4.mul(i32x4.max_s(near, off), step)), nearOut, from, scores + place, choices + place);
      if (side > 4) {
        const score = i32x4.add(base, i32x4.mul(i32x4.max_s(far, off), step));
        choose(score, farOut, i32x4.add(from, i32x4.splat(4)), scores + place + 16, choices + place + 16);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function choose(score: v128, out: v128, from: v128, scores: usize, choices: usize): void {
  const known = v128.load(scores);
  const better = v128.andnot(i32x4.lt_u(score, known), out);
  if (!v128.any_true(better)) return;
  v128.store(scores, v128.bitselect(score, known, better));
  v128.store(choices, v128.bitselect(from, v128.load(choices), better));
}

/** Whether the neighbour of `index` one step along lies in the frame and is known. */
// @ts-ignore: decorator
@inline
function usable(hole: usize, index: i32, stepX: i32, stepY: i32, width: i32, height: i32): bool {
  const y = index / width;
  const x = index - y * width + stepX;
  const row = y + stepY;
  if (u32(x) >= u32(width) || u32(row) >= u32(height)) return false;
  return !load<u8>(hole + usize(row * width + x));
}

/**
 * Right-hand side and first guess of the blend: the gradient between two pixels is the mean of what both their sources
 * show. A jump far above `tolerance` levels is an edge between two materials and is kept; a small one is a difference in
 * light and is not. Bits of `sides` say which neighbours are in the frame: left, right, above, below.
 */
export function fillGradients(
  pixels: usize, hole: usize, width: i32, height: i32, list: usize, count: i32, choices: usize,
  values: usize, wanted: usize, sides: usize, screen: f32, tolerance: f32,
): void {
  for (let i = 0; i < count; i++) {
    const p = load<i32>(list + (usize(i) << 2));
    const source = load<i32>(choices + (usize(p) << 2));
    const own = colourAt(pixels, usize(source));
    v128.store(values + (usize(p) << 4), own);
    let sum = f32x4.mul(own, f32x4.splat(screen));
    const y = p / width;
    const x = p - y * width;
    let bits = 0;
    for (let k = 0; k < 4; k++) {
      const stepX = k == 0 ? -1 : k == 1 ? 1 : 0;
      const stepY = k == 2 ? -1 : k == 3 ? 1 : 0;
      if (u32(x + stepX) >= u32(width) || u32(y + stepY) >= u32(height)) continue;
      bits |= 1 << k;
      const step = stepY * width + stepX;
      const inside = load<u8>(hole + usize(p + step));
      const theirs = inside ? load<i32>(choices + (usize(p + step) << 2)) : 0;
      let gradient = f32x4.splat(0);
      let votes: f32 = 0;
      if (usable(hole, source, stepX, stepY, width, height)) {
        gradient = f32x4.sub(own, colourAt(pixels, usize(source + step)));
        votes = 1;
      }
      if (inside && usable(hole, theirs, -stepX, -stepY, width, height)) {
        const shown = f32x4.sub(colourAt(pixels, usize(theirs - step)), colourAt(pixels, usize(theirs)));
        gradient = f32x4.add(gradient, shown);
        votes += 1;
      }
      if (votes > 1) gradient = f32x4.mul(gradient, f32x4.splat(0.5));
      if (inside) {
        const jump = f32x4.sub(f32x4.sub(own, colourAt(pixels, usize(theirs))), gradient);
        const squared = f32x4.mul(jump, jump);
        const size =
          (f32x4.extract_lane(squared, 0) + f32x4.extract_lane(squared, 1) + f32x4.extract_lane(squared, 2)) / 3;
        gradient = f32x4.add(gradient, f32x4.mul(jump, f32x4.splat(size / (size + tolerance * tolerance))));
      }
      sum = f32x4.add(sum, gradient);
    }
    v128.store(wanted + (usize(i) << 4), sum);
    store<u8>(sides + usize(i), u8(bits));
  }
}

/** What one turn of over-relaxation does to the `i`-th missing pixel. */
// @ts-ignore: decorator
@inline
function relax(
  i: i32, row: usize, list: usize, values: usize, wanted: usize, sides: usize, screen: f32, relaxation: f32, whole: v128,
): void {
  const at = values + (usize(load<i32>(list + (usize(i) << 2))) << 4);
  const bits = load<u8>(sides + usize(i));
  let sum = v128.load(wanted + (usize(i) << 4));
  let factor = whole;
  if (bits == 15) {
    sum = f32x4.add(sum, f32x4.add(v128.load(at - 16), v128.load(at, 16)));
    sum = f32x4.add(sum, f32x4.add(v128.load(at - row), v128.load(at + row)));
  } else {
    if (bits & 1) sum = f32x4.add(sum, v128.load(at - 16));
    if (bits & 2) sum = f32x4.add(sum, v128.load(at, 16));
    if (bits & 4) sum = f32x4.add(sum, v128.load(at - row));
    if (bits & 8) sum = f32x4.add(sum, v128.load(at + row));
    factor = f32x4.splat(relaxation / (f32(popcnt<i32>(bits)) + screen));
  }
  const kept = f32x4.mul(v128.load(at), f32x4.splat(1 - relaxation));
  v128.store(at, f32x4.add(kept, f32x4.mul(sum, factor)));
}

/**
 * Solves for the colours with those gradients (Pérez, Gangnet and Blake 2003) by successive over-relaxation. Each pixel
 * waits for the one before it, so five sweeps go over the picture at once, each a row and a pixel behind the other: what
 * a pixel sees of its neighbours is what it would see if they went one after the other.
 */
export function fillBlend(
  pixels: usize, width: i32, list: usize, count: i32, values: usize, wanted: usize, sides: usize,
  screen: f32, relaxation: f32, sweeps: i32,
): void {
  const row = usize(width) << 4;
  const lag = width + 1;
  const whole = f32x4.splat(relaxation / (4 + screen));
  for (let left = sweeps; left > 0; left -= 5) {
    const together = min(left, 5);
    const end = count + (together - 1) * lag;
    for (let t = 0; t < end; t++) {
      if (together == 5 && t >= 4 * lag && t < count) {
        relax(t, row, list, values, wanted, sides, screen, relaxation, whole);
        relax(t - lag, row, list, values, wanted, sides, screen, relaxation, whole);
        relax(t - 2 * lag, row, list, values, wanted, sides, screen, relaxation, whole);
        relax(t - 3 * lag, row, list, values, wanted, sides, screen, relaxation, whole);
        relax(t - 4 * lag, row, list, values, wanted, sides, screen, relaxation, whole);
        continue;
      }
      for (let sweep = 0, i = t; sweep < together; sweep++, i -= lag) {
        if (u32(i) < u32(count)) relax(i, row, list, values, wanted, sides, screen, relaxation, whole);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    const p = usize(load<i32>(list + (usize(i) << 2)));
    writeColour(pixels, p, v128.load(values + (p << 4)));
  }
}
