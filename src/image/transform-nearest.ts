import type { Raster } from './raster.ts';

/** `[a, b, c, d, e, f]`: output point (x, y) takes source point (a·x + b·y + c, d·x + e·y + f), as Pillow's AFFINE. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Pillow's nearest-neighbour affine transform into `out`; source positions in 16.16 fixed point where they fit, as there. */
export function affineNearest(source: Raster, [a, b, c, d, e, f]: Affine, out: Raster): Raster {
  const fits = [
    [0, 0],
    [out.width, 0],
    [0, out.height],
    [out.width, out.height],
  ].every(([x, y]) => Math.abs(x * a + y * b + c) < 32768 && Math.abs(x * d + y * e + f) < 32768);
  const unit = fits ? 65536 : 1;
  const fix = (v: number) => (fits ? Math.floor(v * 65536 + 0.5) : v);
  let rowX = fix(c + a * 0.5 + b * 0.5);
  let rowY = fix(f + d * 0.5 + e * 0.5);
  const [ax, bx, dy, ey] = [fix(a), fix(b), fix(d), fix(e)];
  for (let y = 0, to = 0; y < out.height; y++) {
    let sx = rowX;
    let sy = rowY;
    for (let x = 0; x < out.width; x++, to += 3) {
      if (sx >= 0 && sy >= 0) copy(source, Math.floor(sx / unit), Math.floor(sy / unit), out.data, to);
      sx += ax;
      sy += dy;
    }
    rowX += bx;
    rowY += ey;
  }
  return out;
}

function copy(source: Raster, x: number, y: number, out: Uint8Array, to: number): void {
  if (x >= source.width || y >= source.height) return;
  const from = (y * source.width + x) * 3;
  out[to] = source.data[from];
  out[to + 1] = source.data[from + 1];
  out[to + 2] = source.data[from + 2];
}
