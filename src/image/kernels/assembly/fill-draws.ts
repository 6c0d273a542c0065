// The random candidates of the search (fill.ts), by Xorshift (Marsaglia 2003). What is drawn does not depend on what is
// found, so it is drawn ahead, for many patches at once: four stretches of the sequence side by side.

/** Patches in a stretch. */
const stretch: i32 = 32;
/** What each bit of the generator's state becomes over a stretch: its steps are linear, so this takes any state there. */
const jump = memory.data(32 * 4, 16);
/** For the patches drawn for: sixteen bytes for each four candidates. Room for 16 candidates. */
const drawn = memory.data(4 * 32 * 64, 16);

let state: u32 = 0;
let sources: usize = 0;
let sourceCount: i32 = 0;
let anywhere: i32 = 0;
let radius: i32 = 0;
let bytes: usize = 0;
let at: usize = 0;

// @ts-ignore: decorator
@inline
function next(states: v128): v128 {
  const a = v128.xor(states, i32x4.shl(states, 13));
  const b = v128.xor(a, i32x4.shr_u(a, 17));
  return v128.xor(b, i32x4.shl(b, 5));
}

/** Whole numbers from 0 up to `limit`, which is left out. */
// @ts-ignore: decorator
@inline
function below(limit: i32, states: v128): v128 {
  const limits = i32x4.splat(limit);
  const low = i64x2.extmul_low_i32x4_u(states, limits);
  return v128.shuffle<i32>(low, i64x2.extmul_high_i32x4_u(states, limits), 1, 3, 5, 7);
}

/**
 * Begins a sequence. A patch's candidates are one of the sources where `anywhere` is 1, then steps of up to `radius` pixels
 * across and down, of up to half of it, and so on to 1. Returns how many there are.
 */
export function beginDraws(seed: u32, from: usize, count: i32, tryAnywhere: i32, reach: i32): i32 {
  state = seed;
  sources = from;
  sourceCount = count;
  anywhere = tryAnywhere;
  radius = reach;
  const steps = 32 - clz(reach);
  bytes = usize((anywhere + steps + 3) >> 2) << 4;
  at = drawn + bytes * usize(4 * stretch);
  const draws = (anywhere + 2 * steps) * stretch;
  for (let bit = 0; bit < 32; bit += 4) {
    let states = i32x4.shl(i32x4(1, 2, 4, 8), bit);
    for (let k = 0; k < draws; k++) states = next(states);
    v128.store(jump + (usize(bit) << 2), states);
  }
  return anywhere + steps;
}

function afterStretch(before: u32): u32 {
  let after: u32 = 0;
  for (let bits = before; bits; bits &= bits - 1) after ^= load<u32>(jump + (usize(ctz(bits)) << 2));
  return after;
}

/** The next patch's candidates, four in sixteen bytes, each as y << 16 | x; zeros after the last. */
// @ts-ignore: decorator
@inline
export function draw(): usize {
  if (at == drawn + bytes * usize(4 * stretch)) drawAhead();
  const its = at;
  at += bytes;
  return its;
}

/** One step up to `reach` pixels across and down, for each of two states: as far as drawn, y << 16 | x. */
// @ts-ignore: decorator
@inline
function step(reach: i32, first: v128, second: v128): v128 {
  const across = i32x4.sub(below(2 * reach + 1, first), i32x4.splat(reach));
  const down = i32x4.sub(below(2 * reach + 1, second), i32x4.splat(reach));
  return v128.or(i32x4.shl(down, 16), v128.and(across, i32x4.splat(0xffff)));
}

/** One of the sources for each of four states. */
function anySource(states: v128): v128 {
  const places = i32x4.shl(below(sourceCount, states), 2);
  let found = v128.load32_zero(sources + usize(i32x4.extract_lane(places, 0)));
  found = v128.load32_lane(sources + usize(i32x4.extract_lane(places, 1)), found, 1);
  found = v128.load32_lane(sources + usize(i32x4.extract_lane(places, 2)), found, 2);
  return v128.load32_lane(sources + usize(i32x4.extract_lane(places, 3)), found, 3);
}

function drawAhead(): void {
  const second = afterStretch(state);
  const third = afterStretch(second);
  let states = i32x4(state, second, third, afterStretch(third));
  const length = bytes * usize(stretch);
  for (let to = drawn; to < drawn + length; to += bytes) {
    let reach = radius;
    for (let group: usize = 0; group < bytes; group += 16) {
      let a = i32x4.splat(0);
      let b = i32x4.splat(0);
      let c = i32x4.splat(0);
      let d = i32x4.splat(0);
      if (anywhere && group == 0) {
        states = next(states);
        a = anySource(states);
      } else {
        const first = next(states);
        states = next(first);
        a = step(reach, first, states);
        reach >>= 1;
      }
      if (reach) {
        const first = next(states);
        states = next(first);
        b = step(reach, first, states);
        reach >>= 1;
      }
      if (reach) {
        const first = next(states);
        states = next(first);
        c = step(reach, first, states);
        reach >>= 1;
      }
      if (reach) {
        const first = next(states);
        states = next(first);
        d = step(reach, first, states);
        reach >>= 1;
      }
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      const abLater = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const cdLater = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      v128.store(to + group, v128.shuffle<i64>(ab, cd, 0, 2));
      v128.store(to + group + length, v128.shuffle<i64>(ab, cd, 1, 3));
      v128.store(to + group + 2 * length, v128.shuffle<i64>(abLater, cdLater, 0, 2));
      v128.store(to + group + 3 * length, v128.shuffle<i64>(abLater, cdLater, 1, 3));
    }
  }
  state = u32(i32x4.extract_lane(states, 3));
  at = drawn;
}
