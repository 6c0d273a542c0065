/** `[a, b, c, d, e, f]`: output point (x, y) takes source point (a·x + b·y + c, d·x + e·y + f), as Pillow's AFFINE. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Pillow's nearest-neighbour affine transform into `out`; source positions in 16.16 fixed point where they fit, as there. */
export function affineNearest(source: Plane, channels: number, matrix: Affine, out: Plane): Plane {
  const [a, b, c, d, e, f] = matrix;
  if (b === 0 && d === 0) return scaled(source, channels, matrix, out);
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
    for (let x = 0; x < out.width; x++, to += channels) {
      if (sx >= 0 && sy >= 0) copy(source, channels, Math.floor(sx / unit), Math.floor(sy / unit), out.data, to);
      sx += ax;
      sy += dy;
    }
    rowX += bx;
    rowY += ey;
  }
  return out;
}

/** Without rotation or shear the positions of a row and of a column are added up once. */
function scaled(source: Plane, channels: number, [a, , c, , e, f]: Affine, out: Plane): Plane {
  const positions = (start: number, step: number, count: number, size: number) => {
    const list = new Int32Array(count);
    let at = start + step * 0.5;
    for (let i = 0; i < count; i++, at += step) list[i] = at >= 0 && at < size ? Math.trunc(at) : -1;
    return list;
  };
  const columns = positions(c, a, out.width, source.width);
  const rows = positions(f, e, out.height, source.height);
  for (let y = 0, to = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++, to += channels) {
      if (rows[y] >= 0 && columns[x] >= 0) copy(source, channels, columns[x], rows[y], out.data, to);
    }
  }
  return out;
}

function copy(source: Plane, channels: number, x: number, y: number, out: Uint8Array, to: number): void {
  if (x >= source.width || y >= source.height) return;
  const from = (y * source.width + x) * channels;
  out[to] = source.data[from];
  if (channels === 1) return;
  out[to + 1] = source.data[from + 1];
  out[to + 2] = source.data[from + 2];
}
