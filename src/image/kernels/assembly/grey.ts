import { blue, green, loadPlanes, pack, quarter, red } from './planes';
import { mask0, mask1, mask2 } from './region';

// @ts-ignore: decorator
@inline
function greyQuarter(r: v128, g: v128, b: v128, wr: v128, wg: v128, wb: v128, round: v128, bits: i32): v128 {
  const sum = i32x4.add(i32x4.add(i32x4.mul(r, wr), i32x4.mul(g, wg)), i32x4.add(i32x4.mul(b, wb), round));
  return i32x4.shr_u(sum, bits);
}

/** Grey levels from fixed-point weights of `bits` bits; into `levels` where that is not 0, else in place on the region. */
export function grey(
  image: usize,
  mask: usize,
  invert: i32,
  pixels: i32,
  redWeight: i32,
  greenWeight: i32,
  blueWeight: i32,
  bits: i32,
  levels: usize,
): void {
  const flip = i8x16.splat(<i8>invert);
  const wr = i32x4.splat(redWeight);
  const wg = i32x4.splat(greenWeight);
  const wb = i32x4.splat(blueWeight);
  const half = i32x4.splat(1 << (bits - 1));
  for (let i = 0; i < pixels; i += 16) {
    const m = v128.xor(v128.load(mask + <usize>i), flip);
    if (!v128.any_true(m)) continue;
    const at = image + <usize>i * 3;
    loadPlanes(at);
    const r = red;
    const g = green;
    const b = blue;
    const level = pack(
      greyQuarter(quarter(r, 0), quarter(g, 0), quarter(b, 0), wr, wg, wb, half, bits),
      greyQuarter(quarter(r, 1), quarter(g, 1), quarter(b, 1), wr, wg, wb, half, bits),
      greyQuarter(quarter(r, 2), quarter(g, 2), quarter(b, 2), wr, wg, wb, half, bits),
      greyQuarter(quarter(r, 3), quarter(g, 3), quarter(b, 3), wr, wg, wb, half, bits),
    );
    if (levels) v128.store(levels + <usize>i, level);
    else {
      v128.store(at, v128.bitselect(mask0(level), v128.load(at), mask0(m)));
      v128.store(at, v128.bitselect(mask1(level), v128.load(at, 16), mask1(m)), 16);
      v128.store(at, v128.bitselect(mask2(level), v128.load(at, 32), mask2(m)), 32);
    }
  }
}
