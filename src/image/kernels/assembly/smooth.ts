// Smoothing by kernels of hundreds of pixels (src/scenarios/corruptions/shared/smooth-field.ts). Numbers are doubles, eight
// at a time; rows have room for so many past their end.

/** Smoothed over rows, at each of `count` nodes; `folded` has a weight for each row, zeros up to a multiple of four. */
export function smoothNodes(
  field: usize, width: usize, height: usize, folded: usize, count: usize, nodes: usize, nodeStride: usize,
): void {
  const groups = (height + 3) & ~3;
  const row = width << 3;
  for (let x: usize = 0; x < row; x += 64) {
    for (let node: usize = 0; node < count; node++) {
      const weights = folded + ((node * groups) << 3);
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      for (let y: usize = 0; y < groups; y += 4) {
        const at = weights + (y << 3);
        if (!v128.any_true(v128.or(v128.load(at), v128.load(at, 16)))) continue;
        const a = v128.load64_splat(at);
        const b = v128.load64_splat(at, 8);
        const c = v128.load64_splat(at, 16);
        const d = v128.load64_splat(at, 24);
        const i = field + y * row + x;
        const j = field + min(y + 1, height - 1) * row + x;
        const k = field + min(y + 2, height - 1) * row + x;
        const l = field + min(y + 3, height - 1) * row + x;
        s0 = f64x2.add(s0, four(v128.load(i), v128.load(j), v128.load(k), v128.load(l), a, b, c, d));
        s1 = f64x2.add(s1, four(v128.load(i, 16), v128.load(j, 16), v128.load(k, 16), v128.load(l, 16), a, b, c, d));
        s2 = f64x2.add(s2, four(v128.load(i, 32), v128.load(j, 32), v128.load(k, 32), v128.load(l, 32), a, b, c, d));
        s3 = f64x2.add(s3, four(v128.load(i, 48), v128.load(j, 48), v128.load(k, 48), v128.load(l, 48), a, b, c, d));
      }
      const to = nodes + node * nodeStride + x;
      v128.store(to, s0);
      v128.store(to, s1, 16);
      v128.store(to, s2, 32);
      v128.store(to, s3, 48);
    }
  }
}

// @ts-ignore: decorator
@inline
function four(i: v128, j: v128, k: v128, l: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  const early = f64x2.add(f64x2.mul(a, i), f64x2.mul(b, j));
  return f64x2.add(early, f64x2.add(f64x2.mul(c, k), f64x2.mul(d, l)));
}

/** The sum of `count` rows, whose numbers stand in `rows`. */
export function sumRows(field: usize, width: usize, rows: usize, count: usize, sums: usize): void {
  const row = width << 3;
  for (let x: usize = 0; x < row; x += 64) {
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let k: usize = 0; k < count; k++) {
      const at = field + usize(load<u32>(rows + (k << 2))) * row + x;
      s0 = f64x2.add(s0, v128.load(at));
      s1 = f64x2.add(s1, v128.load(at, 16));
      s2 = f64x2.add(s2, v128.load(at, 32));
      s3 = f64x2.add(s3, v128.load(at, 48));
    }
    v128.store(sums + x, s0);
    v128.store(sums + x, s1, 16);
    v128.store(sums + x, s2, 32);
    v128.store(sums + x, s3, 48);
  }
}

/**
 * Each row from the six nodes about it, and the running window of rows, times its weight, added. `shares` has six weights for
 * each row between two nodes; `window` the row that enters after each row and the one that leaves.
 */
export function smoothRows(
  nodes: usize, nodeStride: usize, width: usize, height: usize, spacing: usize, shares: usize,
  field: usize, sums: usize, window: usize, weight: f64, to: usize,
): void {
  const row = width << 3;
  const times = f64x2.splat(weight);
  for (let y: usize = 0; y < height; y++) {
    const own = shares + (y % spacing) * 48;
    const a = v128.load64_splat(own);
    const b = v128.load64_splat(own, 8);
    const c = v128.load64_splat(own, 16);
    const d = v128.load64_splat(own, 24);
    const e = v128.load64_splat(own, 32);
    const f = v128.load64_splat(own, 40);
    const first = nodes + (y / spacing) * nodeStride;
    const entering = field + usize(load<u32>(window + (y << 3))) * row;
    const leaving = field + usize(load<u32>(window + (y << 3), 4)) * row;
    for (let x: usize = 0; x < row; x += 16) {
      let at = first + x;
      let value = f64x2.mul(a, v128.load(at));
      value = f64x2.add(value, f64x2.mul(b, v128.load((at += nodeStride))));
      value = f64x2.add(value, f64x2.mul(c, v128.load((at += nodeStride))));
      value = f64x2.add(value, f64x2.mul(d, v128.load((at += nodeStride))));
      value = f64x2.add(value, f64x2.mul(e, v128.load((at += nodeStride))));
      value = f64x2.add(value, f64x2.mul(f, v128.load((at += nodeStride))));
      const sum = v128.load(sums + x);
      v128.store(to + x, f64x2.add(value, f64x2.mul(times, sum)));
      v128.store(sums + x, f64x2.add(sum, f64x2.sub(v128.load(entering + x), v128.load(leaving + x))));
    }
    to += row;
  }
}

/** Rows become columns; in squares, which stay in the cache. */
export function turnDoubles(from: usize, width: usize, height: usize, to: usize): void {
  const side: usize = 16;
  for (let top: usize = 0; top < height; top += side) {
    for (let left: usize = 0; left < width; left += side) {
      const bottom = min(top + side, height);
      const right = min(left + side, width);
      for (let x = left; x < right; x++) {
        for (let y = top; y < bottom; y++) {
          store<f64>(to + ((x * height + y) << 3), load<f64>(from + ((y * width + x) << 3)));
        }
      }
    }
  }
}
