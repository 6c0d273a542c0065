// Pillow's transform: bilinear and bicubic in double precision, cut off rather than rounded, as there.

// @ts-ignore: decorator
@inline
function clip(v: i32, size: i32): i32 {
  return v < 0 ? 0 : v < size ? v : size - 1;
}

// @ts-ignore: decorator
@inline
function cubic(v1: f64, v2: f64, v3: f64, v4: f64, d: f64): f64 {
  const p2 = -v1 + v3;
  const p3 = 2.0 * (v1 - v2) + v3 - v4;
  const p4 = -v1 + v2 - v3 + v4;
  return v2 + d * (p2 + d * (p3 + d * p4));
}

// @ts-ignore: decorator
@inline
function linear(to: usize, p00: usize, p01: usize, p10: usize, p11: usize, dx: f64, dy: f64): void {
  const a = <f64>load<u8>(p00);
  const b = <f64>load<u8>(p10);
  const v1 = a + (<f64>load<u8>(p01) - a) * dx;
  const v2 = b + (<f64>load<u8>(p11) - b) * dx;
  store<u8>(to, <u8>(<i32>(v1 + (v2 - v1) * dy)));
}

// @ts-ignore: decorator
@inline
function cubicRow(row: usize, x0: usize, x1: usize, x2: usize, x3: usize, d: f64): f64 {
  return cubic(<f64>load<u8>(row + x0), <f64>load<u8>(row + x1), <f64>load<u8>(row + x2), <f64>load<u8>(row + x3), d);
}

/**
 * Output pixel (x, y) takes source point (a·x' + b·y' + c, d·x' + e·y' + f) at pixel centres x' = x + ½, y' = y + ½.
 * Three channels; bilinear unless `bicubic`. Pixels from outside, and those beyond the given part of the target, stay as
 * they are in `target`.
 */
export function warp(
  source: usize,
  width: i32,
  height: i32,
  target: usize,
  outWidth: i32,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  bicubic: bool,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
): void {
  const stride = <usize>(width * 3);
  for (let y = top; y < bottom; y++) {
    const yc = <f64>y + 0.5;
    let to = target + <usize>((y * outWidth + left) * 3);
    for (let x = left; x < right; x++, to += 3) {
      const xc = <f64>x + 0.5;
      let xin = a * xc + b * yc + c;
      let yin = d * xc + e * yc + f;
      if (!(xin >= 0.0 && xin < <f64>width && yin >= 0.0 && yin < <f64>height)) continue;
      xin -= 0.5;
      yin -= 0.5;
      const xf = Math.floor(xin);
      const yf = Math.floor(yin);
      const x0 = <i32>xf;
      const y0 = <i32>yf;
      const dx = xin - xf;
      const dy = yin - yf;
      if (!bicubic) {
        const row0 = source + <usize>clip(y0, height) * stride;
        const row1 = y0 + 1 < height ? source + <usize>(y0 + 1) * stride : row0;
        const c0 = <usize>(clip(x0, width) * 3);
        const c1 = <usize>(clip(x0 + 1, width) * 3);
        linear(to, row0 + c0, row0 + c1, row1 + c0, row1 + c1, dx, dy);
        linear(to + 1, row0 + c0 + 1, row0 + c1 + 1, row1 + c0 + 1, row1 + c1 + 1, dx, dy);
        linear(to + 2, row0 + c0 + 2, row0 + c1 + 2, row1 + c0 + 2, row1 + c1 + 2, dx, dy);
      } else {
        const row0 = source + <usize>clip(y0 - 1, height) * stride;
        const row1 = y0 >= 0 && y0 < height ? source + <usize>y0 * stride : row0;
        const row2 = y0 + 1 < height ? source + <usize>(y0 + 1) * stride : row1;
        const row3 = y0 + 2 < height ? source + <usize>(y0 + 2) * stride : row2;
        const c0 = <usize>(clip(x0 - 1, width) * 3);
        const c1 = <usize>(clip(x0, width) * 3);
        const c2 = <usize>(clip(x0 + 1, width) * 3);
        const c3 = <usize>(clip(x0 + 2, width) * 3);
        for (let k: usize = 0; k < 3; k++) {
          const v1 = cubicRow(row0 + k, c0, c1, c2, c3, dx);
          const v2 = cubicRow(row1 + k, c0, c1, c2, c3, dx);
          const v3 = cubicRow(row2 + k, c0, c1, c2, c3, dx);
          const v4 = cubicRow(row3 + k, c0, c1, c2, c3, dx);
          const v = cubic(v1, v2, v3, v4, dy);
          store<u8>(to + k, v <= 0.0 ? 0 : v >= 255.0 ? 255 : <u8>(<i32>v));
        }
      }
    }
  }
}
