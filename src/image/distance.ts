/** Distance where no pixel is marked at all. */
const far = 1e15;

/**
 * Squared distance, in pixels, from every pixel's centre to the nearest marked one; exact (Felzenszwalb and Huttenlocher,
 * 2012, Theory of Computing 8, 415). Larger than any picture where nothing is marked.
 */
export function squaredDistance(
  { width, height }: { readonly width: number; readonly height: number },
  isMarked: (i: number) => boolean,
): Float64Array {
  const out = new Float64Array(width * height);
  for (let i = 0; i < out.length; i++) out[i] = isMarked(i) ? 0 : far;
  const size = Math.max(width, height);
  const scratch = { line: new Float64Array(size), sites: new Int32Array(size), starts: new Float64Array(size + 1) };
  for (let x = 0; x < width; x++) sweep(out, x, width, height, scratch);
  for (let y = 0; y < height; y++) sweep(out, y * width, 1, width, scratch);
  return out;
}

interface Scratch {
  readonly line: Float64Array;
  readonly sites: Int32Array;
  readonly starts: Float64Array;
}

/** Along one row or column: the lower envelope of the parabolas that stand on its values. */
function sweep(data: Float64Array, from: number, step: number, n: number, { line, sites, starts }: Scratch): void {
  for (let q = 0; q < n; q++) line[q] = data[from + q * step];
  let last = 0;
  sites[0] = 0;
  starts[0] = Number.NEGATIVE_INFINITY;
  starts[1] = Number.POSITIVE_INFINITY;
  for (let q = 1; q < n; q++) {
    let meet = crossing(line, sites[last], q);
    while (meet <= starts[last]) meet = crossing(line, sites[--last], q);
    sites[++last] = q;
    starts[last] = meet;
    starts[last + 1] = Number.POSITIVE_INFINITY;
  }
  for (let q = 0, k = 0; q < n; q++) {
    while (starts[k + 1] < q) k++;
    data[from + q * step] = Math.min(far, (q - sites[k]) ** 2 + line[sites[k]]);
  }
}

const crossing = (line: Float64Array, a: number, b: number) => (line[b] + b * b - line[a] - a * a) / (2 * (b - a));
