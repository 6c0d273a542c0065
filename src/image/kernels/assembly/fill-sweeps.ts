// The sweeps that solve for the joined colours (fill-join.ts), four single-precision numbers a pixel.
import { writeColour } from './fill-colour';

/** What one turn of over-relaxation does to the `i`-th missing pixel. */
// @ts-ignore: decorator
@inline
function relax(
  i: i32, row: usize, unknowns: usize, values: usize, wanted: usize, screen: f32, relaxation: f32, whole: v128, rest: v128,
): void {
  const unknown = load<u32>(unknowns + (usize(i) << 2));
  const at = values + usize(unknown & ~15);
  let sum = v128.load(wanted + (usize(i) << 4));
  let factor = whole;
  if (!(unknown & 15)) {
    sum = f32x4.add(sum, f32x4.add(v128.load(at - 16), v128.load(at, 16)));
    sum = f32x4.add(sum, f32x4.add(v128.load(at - row), v128.load(at + row)));
  } else {
    if (!(unknown & 1)) sum = f32x4.add(sum, v128.load(at - 16));
    if (!(unknown & 2)) sum = f32x4.add(sum, v128.load(at, 16));
    if (!(unknown & 4)) sum = f32x4.add(sum, v128.load(at - row));
    if (!(unknown & 8)) sum = f32x4.add(sum, v128.load(at + row));
    factor = f32x4.splat(relaxation / (f32(popcnt<u32>(~unknown & 15)) + screen));
  }
  v128.store(at, f32x4.add(f32x4.mul(v128.load(at), rest), f32x4.mul(sum, factor)));
}

/**
 * For each row, where its first missing pixel is in the list. For each missing pixel, how many in a row from it on do not
 * touch the frame.
 */
function findRuns(unknowns: usize, count: i32, width: i32, height: i32, rows: usize, runs: usize): void {
  for (let y = 0, i = 0; y < height; y++) {
    while (i < count && i32(load<u32>(unknowns + (usize(i) << 2)) >> 4) < y * width) i++;
    store<i32>(rows + (usize(y) << 2), i);
  }
  let next = -1;
  for (let i = count - 1, run = 0; i >= 0; i--) {
    const unknown = load<u32>(unknowns + (usize(i) << 2));
    const p = i32(unknown >> 4);
    run = unknown & 15 ? 0 : next == p + 1 ? run + 1 : 1;
    next = p;
    store<i32>(runs + (usize(i) << 2), run);
  }
}

/** The column of the `i`-th missing pixel, which is one of row `y`. */
// @ts-ignore: decorator
@inline
function columnOf(unknowns: usize, i: i32, y: i32, width: i32): i32 {
  return i32(load<u32>(unknowns + (usize(i) << 2)) >> 4) - y * width;
}

/** The weighted mean of a colour and what its neighbours and its gradients want it to be. */
// @ts-ignore: decorator
@inline
function relaxed(own: v128, wanted: v128, left: v128, right: v128, above: v128, below: v128, whole: v128, rest: v128): v128 {
  const sum = f32x4.add(f32x4.add(wanted, f32x4.add(left, right)), f32x4.add(above, below));
  return f32x4.add(f32x4.mul(own, rest), f32x4.mul(sum, whole));
}
/** Sweeps that go over the picture together. */
const together = 5;
/** For each of them: the next missing pixel of its row, and the one past the last. */
const cursors = memory.data(together * 8, 16);

/**
 * Sweep k does the columns from `from` − k on, `count` of them, in row `y` − k, where all of these pixels are missing. None
 * of the five waits for another, and what one leaves to the next stays at hand: the pixel on the right of one is the next
 * one's own and the one above its successor.
 */
function relaxRun(from: i32, count: i32, y: i32, width: i32, values: usize, wanted: usize, whole: v128, rest: v128): void {
  const row = usize(width) << 4;
  let v0 = values + (usize(y * width + from) << 4);
  let v1 = v0 - row - 16;
  let v2 = v1 - row - 16;
  let v3 = v2 - row - 16;
  let v4 = v3 - row - 16;
  let w0 = wanted + (usize(load<i32>(cursors)) << 4);
  let w1 = wanted + (usize(load<i32>(cursors, 8)) << 4);
  let w2 = wanted + (usize(load<i32>(cursors, 16)) << 4);
  let w3 = wanted + (usize(load<i32>(cursors, 24)) << 4);
  let w4 = wanted + (usize(load<i32>(cursors, 32)) << 4);
  let left0 = v128.load(v0 - 16);
  let left1 = v128.load(v1 - 16);
  let left2 = v128.load(v2 - 16);
  let left3 = v128.load(v3 - 16);
  let left4 = v128.load(v4 - 16);
  let own0 = v128.load(v0);
  let own1 = v128.load(v1);
  let own2 = v128.load(v2);
  let own3 = v128.load(v3);
  let own4 = v128.load(v4);
  for (let n = count; n > 0; n--) {
    const right4 = v128.load(v4, 16);
    left4 = relaxed(own4, v128.load(w4), left4, right4, v128.load(v4 - row), left3, whole, rest);
    v128.store(v4, left4);
    own4 = right4;
    const right3 = v128.load(v3, 16);
    left3 = relaxed(own3, v128.load(w3), left3, right3, right4, left2, whole, rest);
    v128.store(v3, left3);
    own3 = right3;
    const right2 = v128.load(v2, 16);
    left2 = relaxed(own2, v128.load(w2), left2, right2, right3, left1, whole, rest);
    v128.store(v2, left2);
    own2 = right2;
    const right1 = v128.load(v1, 16);
    left1 = relaxed(own1, v128.load(w1), left1, right1, right2, left0, whole, rest);
    v128.store(v1, left1);
    own1 = right1;
    const right0 = v128.load(v0, 16);
    left0 = relaxed(own0, v128.load(w0), left0, right0, right1, v128.load(v0 + row), whole, rest);
    v128.store(v0, left0);
    own0 = right0;
    v0 += 16;
    v1 += 16;
    v2 += 16;
    v3 += 16;
    v4 += 16;
    w0 += 16;
    w1 += 16;
    w2 += 16;
    w3 += 16;
    w4 += 16;
  }
  for (let k = 0; k < together; k++) store<i32>(cursors + (usize(k) << 3), load<i32>(cursors + (usize(k) << 3)) + count);
}

/** Sweep k does what is missing of the columns `from` − k to `to` − k in row `y` − k. */
function relaxColumns(
  from: i32, to: i32, y: i32, width: i32, unknowns: usize, runs: usize, values: usize, wanted: usize,
  screen: f32, relaxation: f32, whole: v128, rest: v128,
): void {
  const row = usize(width) << 4;
  for (let x = from; x < to; x++) {
    let done = 0;
    let run = width;
    for (let k = 0, p = y * width + x; k < together; k++, p -= width + 1) {
      const cursor = cursors + (usize(k) << 3);
      const i = load<i32>(cursor);
      if (i == load<i32>(cursor, 4) || i32(load<u32>(unknowns + (usize(i) << 2)) >> 4) != p) continue;
      relax(i, row, unknowns, values, wanted, screen, relaxation, whole, rest);
      store<i32>(cursor, i + 1);
      run = min(run, load<i32>(runs + (usize(i) << 2)));
      done++;
    }
    if (done < together || run < 2) continue;
    relaxRun(x + 1, run - 1, y, width, values, wanted, whole, rest);
    x += run - 1;
  }
}

/** Five sweeps do their rows: `y` and the four above it. */
// @ts-ignore: decorator
@inline
function relaxRows(
  y: i32, first: i32, last: i32, width: i32, unknowns: usize, count: i32, values: usize, wanted: usize, rows: usize,
  runs: usize, screen: f32, relaxation: f32, whole: v128, rest: v128,
): void {
  let begin = width + together;
  let end = 0;
  for (let k = 0; k < together; k++) {
    const its = y - k;
    const within = its >= first && its <= last;
    const row = rows + (usize(its) << 2);
    const from = within ? load<i32>(row) : count;
    const past = within && its < last ? load<i32>(row, 4) : count;
    store<i32>(cursors + (usize(k) << 3), from);
    store<i32>(cursors + (usize(k) << 3), past, 4);
    if (from == past) continue;
    begin = min(begin, columnOf(unknowns, from, its, width) + k);
    end = max(end, columnOf(unknowns, past - 1, its, width) + k + 1);
  }
  relaxColumns(begin, end, y, width, unknowns, runs, values, wanted, screen, relaxation, whole, rest);
}

/**
 * Solves for the colours with those gradients (Pérez, Gangnet and Blake 2003) by successive over-relaxation. Each pixel
 * waits for the one before it, so all sweeps go over the picture at once, each a row and a column behind the other: what a
 * pixel sees of its neighbours is what it would see if they went one after the other. `rows` has room for an integer a
 * row, `runs` for one a missing pixel; `sweeps` is a multiple of five.
 */
export function fillBlend(
  pixels: usize, width: i32, height: i32, unknowns: usize, count: i32, values: usize, wanted: usize, rows: usize,
  runs: usize, screen: f32, relaxation: f32, sweeps: i32,
): void {
  const whole = f32x4.splat(relaxation / (4 + screen));
  const rest = f32x4.splat(1 - relaxation);
  findRuns(unknowns, count, width, height, rows, runs);
  const first = i32(load<u32>(unknowns) >> 4) / width;
  const last = i32(load<u32>(unknowns + (usize(count - 1) << 2)) >> 4) / width;
  for (let y = first; y < last + sweeps; y++) {
    for (let its = y; its > max(y - sweeps, first - 1); its -= together) {
      if (its >= last + together) continue;
      relaxRows(its, first, last, width, unknowns, count, values, wanted, rows, runs, screen, relaxation, whole, rest);
    }
  }
  for (let i = 0; i < count; i++) {
    const p = usize(load<u32>(unknowns + (usize(i) << 2)) >> 4);
    writeColour(pixels, p, v128.load(values + (p << 4)));
  }
}
