/**
 * Clouds by the diamond-square algorithm (Fournier, Fussell and Carpenter, 1982) on a torus, scaled to 0…1: ImageNet-C's
 * variant, where the random part of a step is wibble × uniform(−wibble, wibble) and `decay` divides wibble from one
 * step to the next. `size` is a power of two; `uniform` is drawn once for every point but the first.
 */
function plasma(size: number, decay: number, uniform: () => number): Float64Array {
  const map = new Float64Array(size * size);
  let wibble = 100;
  for (let step = size; step >= 2; step /= 2, wibble /= decay) {
    const half = step / 2;
    const before = (i: number) => (i + size - half) % size;
    const after = (i: number) => (i + half) % size;
    const wobbled = (sum: number) => sum / 4 + wibble * (-wibble + 2 * wibble * uniform());
    /** The mean of four points half a step away, by whole offsets of rows and columns. */
    for (let y = half; y < size; y += step) {
      const up = before(y) * size;
      const down = after(y) * size;
      for (let x = half; x < size; x += step) {
        map[y * size + x] = wobbled(
          map[up + before(x)] + map[down + before(x)] + map[up + after(x)] + map[down + after(x)],
        );
      }
    }
    for (const [firstY, firstX] of [
      [0, half],
      [half, 0],
    ]) {
      for (let y = firstY; y < size; y += step) {
        const row = y * size;
        const up = before(y) * size;
        const down = after(y) * size;
        for (let x = firstX; x < size; x += step) {
          map[row + x] = wobbled(map[up + x] + map[down + x] + map[row + before(x)] + map[row + after(x)]);
        }
      }
    }
  }
  return toUnitRange(map);
}

function toUnitRange(values: Float64Array): Float64Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const range = high - low;
  for (let i = 0; i < values.length; i++) values[i] = range > 0 ? (values[i] - low) / range : 0;
  return values;
}

/** A map of this side takes 134 MB; larger ones are this one enlarged, so that memory does not grow with the square of a side. */
const largestMap = 4096;

/** The plasma's top left corner, `width` × `height`. */
export function plasmaClouds(
  width: number,
  height: number,
  decay: number,
  uniform: () => number,
): (x: number, y: number) => number {
  const wanted = plasmaSize(width, height);
  const size = Math.min(wanted, largestMap);
  const map = plasma(size, decay, uniform);
  if (size === wanted) return (x, y) => map[y * size + x];
  const scale = size / wanted;
  return (x, y) => {
    const [u, v] = [x * scale, y * scale];
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const [right, below] = [(left + 1) % size, (top + 1) % size];
    const [fx, fy] = [u - left, v - top];
    const upper = map[top * size + left] * (1 - fx) + map[top * size + right] * fx;
    const lower = map[below * size + left] * (1 - fx) + map[below * size + right] * fx;
    return upper * (1 - fy) + lower * fy;
  };
}

/** The smallest power of two that holds both sides, 2 at least. */
const plasmaSize = (width: number, height: number) => 2 ** Math.ceil(Math.log2(Math.max(width, height, 2)));
