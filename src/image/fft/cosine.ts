import { evenLines, planLines, scratch } from './lines.ts';

/**
 * Cosine transform of a plane, C[k] = Σ x[j] cos(π (2j + 1) k / 2n) along both axes: the Fourier transform of the plane
 * mirrored at its edges, which knows no jump from one edge to the opposite one. By one transform of length n for two
 * rows (Makhoul 1980).
 */
export function cosine2(plane: Float64Array, width: number, height: number): Float64Array {
  const out = plane.slice();
  eachPair(out, width, height, forwardOf);
  return out;
}

/** The plane that has these cosine coefficients, in their place. */
export function inverseCosine2(plane: Float64Array, width: number, height: number): Float64Array {
  eachPair(plane, width, height, inverseOf);
  return plane;
}

/** Lines of a plane: number j of line l stands at `l · lineStep + j · step`. */
interface Layout {
  readonly count: number;
  readonly length: number;
  readonly lineStep: number;
  readonly step: number;
}

type Pairs = (plane: Float64Array, layout: Layout) => void;

function eachPair(plane: Float64Array, width: number, height: number, transform: Pairs): void {
  transform(plane, { count: height, length: width, lineStep: width, step: 1 });
  transform(plane, { count: width, length: height, lineStep: 1, step: width });
}

const tablesByLength = new Map<number, ReturnType<typeof makeTables>>();

function tables(n: number) {
  const known = tablesByLength.get(n);
  if (known) return known;
  if (tablesByLength.size > 64) tablesByLength.clear();
  const made = makeTables(n);
  tablesByLength.set(n, made);
  return made;
}

function makeTables(n: number) {
  const order = Int32Array.from({ length: n }, (_, j) => (j % 2 === 0 ? j / 2 : n - (j + 1) / 2));
  const cos = Float64Array.from({ length: n }, (_, k) => Math.cos((Math.PI * k) / (2 * n)));
  const sin = Float64Array.from({ length: n }, (_, k) => Math.sin((Math.PI * k) / (2 * n)));
  return { order, cos, sin };
}

function forwardOf(plane: Float64Array, { count, length: n, lineStep, step }: Layout): void {
  const { order, cos, sin } = tables(n);
  const pairs = (count + 1) >> 1;
  const lines = evenLines(pairs);
  const re = scratch('cosine, real', n * lines);
  const im = scratch('cosine, imaginary', n * lines);
  for (let j = 0; j < n; j++) {
    const to = order[j] * lines;
    for (let pair = 0, from = j * step; pair < pairs; pair++, from += 2 * lineStep) {
      re[to + pair] = plane[from];
      im[to + pair] = 2 * pair + 1 < count ? plane[from + lineStep] : 0;
    }
  }
  planLines(n)(re, im, lines);
  for (let k = 0; k < n; k++) {
    const own = k * lines;
    const other = (k === 0 ? 0 : n - k) * lines;
    const c = cos[k];
    const s = sin[k];
    for (let pair = 0, to = k * step; pair < pairs; pair++, to += 2 * lineStep) {
      const x = re[own + pair];
      const y = im[own + pair];
      const u = re[other + pair];
      const v = im[other + pair];
      // The spectra of the two real lines are the even and odd parts; then a quarter turn spread over k.
      plane[to] = ((x + u) * c + (y - v) * s) / 2;
      if (2 * pair + 1 < count) plane[to + lineStep] = ((y + v) * c + (u - x) * s) / 2;
    }
  }
}

function inverseOf(plane: Float64Array, { count, length: n, lineStep, step }: Layout): void {
  const { order, cos, sin } = tables(n);
  const pairs = (count + 1) >> 1;
  const lines = evenLines(pairs);
  const re = scratch('cosine, real', n * lines);
  const im = scratch('cosine, imaginary', n * lines);
  for (let k = 0; k < n; k++) {
    const c = cos[k];
    const s = sin[k];
    const back = (n - k) * step - k * step;
    for (let pair = 0, from = k * step; pair < pairs; pair++, from += 2 * lineStep) {
      const second = 2 * pair + 1 < count;
      const a = plane[from];
      const b = second ? plane[from + lineStep] : 0;
      const a2 = k === 0 ? 0 : plane[from + back];
      const b2 = k === 0 || !second ? 0 : plane[from + back + lineStep];
      const aRe = a * c + a2 * s;
      const aIm = a * s - a2 * c;
      const bRe = b * c + b2 * s;
      const bIm = b * s - b2 * c;
      re[k * lines + pair] = aRe - bIm;
      // Conjugated, so that the forward transform serves as the inverse.
      im[k * lines + pair] = -(aIm + bRe);
    }
  }
  planLines(n)(re, im, lines);
  for (let j = 0; j < n; j++) {
    const from = order[j] * lines;
    for (let pair = 0, to = j * step; pair < pairs; pair++, to += 2 * lineStep) {
      plane[to] = re[from + pair] / n;
      if (2 * pair + 1 < count) plane[to + lineStep] = -im[from + pair] / n;
    }
  }
}
