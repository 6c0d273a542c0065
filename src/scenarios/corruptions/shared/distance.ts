/** Steps to the side, diagonal and of a chess knight, in units of 2⁻¹⁶ px (Borgefors, 1986; OpenCV's L2, 5 × 5). */
const straight = Math.round(1 * 65536);
const diagonal = Math.round(1.4 * 65536);
const knight = Math.round(2.1969 * 65536);
const far = 2 ** 29;

/** The distance to the next pixel that is set, in pixels: OpenCV's `distanceTransform(…, DIST_L2, 5)`. */
export function distanceTo(set: Uint8Array, width: number, height: number): Float32Array {
  const stride = width + 4;
  const map = new Int32Array(stride * (height + 4)).fill(far);
  const at = (x: number, y: number) => (y + 2) * stride + x + 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = at(x, y);
      map[i] = set[y * width + x] !== 0 ? 0 : Math.min(far, nearer(map, i, stride, -1));
    }
  }
  const out = new Float32Array(width * height);
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const i = at(x, y);
      if (map[i] > straight) map[i] = Math.min(map[i], nearer(map, i, stride, 1));
      out[y * width + x] = map[i] / 65536;
    }
  }
  return out;
}

/** The best way over the eight places that are already known: before (`side` −1) or after (1) this one. */
function nearer(map: Int32Array, i: number, stride: number, side: -1 | 1): number {
  const row = i + side * stride;
  const nextRow = row + side * stride;
  const byKnight =
    Math.min(Math.min(map[nextRow - 1], map[nextRow + 1]), Math.min(map[row - 2], map[row + 2])) + knight;
  const byDiagonal = Math.min(map[row - 1], map[row + 1]) + diagonal;
  const byStraight = Math.min(map[row], map[i + side]) + straight;
  return Math.min(Math.min(byKnight, byDiagonal), byStraight);
}
