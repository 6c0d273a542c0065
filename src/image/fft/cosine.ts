import { begin, kernels, look, put, take } from '../kernels/arena.ts';
import { chunkLines, evenLines, planPlaced } from './lines.ts';

/**
 * Cosine transform of a plane, C[k] = Σ x[j] cos(π (2j + 1) k / 2n) along both axes: the Fourier transform of the plane
 * mirrored at its edges, which knows no jump from one edge to the opposite one. By one transform of length n for two
 * rows (Makhoul 1980).
 */
export function cosine2(plane: Float64Array, width: number, height: number): Float64Array {
  begin();
  const at = put(plane);
  placeCosine(width, height).forward(at);
  return copyOf(at, plane.length);
}

/** The plane that has these cosine coefficients. */
export function inverseCosine2(plane: Float64Array, width: number, height: number): Float64Array {
  begin();
  const at = put(plane);
  placeCosine(width, height).inverse(at);
  return copyOf(at, plane.length);
}

function copyOf(at: number, length: number): Float64Array {
  const out = new Float64Array(length);
  new Uint8Array(out.buffer).set(look(at, out.byteLength));
  return out;
}

/** From row to row of a plane: rows that lie whole pages apart would push each other out of the processor's cache. */
export const strideOf = (width: number): number => (width % 128 === 0 ? width + 8 : width);

/**
 * Both ways for planes in kernel memory, in their place, rows `stride` numbers apart; good until the next image operation
 * begins.
 */
export function placeCosine(width: number, height: number, stride = width) {
  const axes = [
    placeAxis({ count: height, length: width, lineStep: stride, step: 1 }),
    placeAxis({ count: width, length: height, lineStep: 1, step: stride }),
  ];
  return {
    forward(plane: number) {
      for (const axis of axes) axis.forward(plane);
    },
    inverse(plane: number) {
      for (const axis of axes) axis.inverse(plane);
    },
  };
}

/** Lines of a plane: number j of line l stands at `l · lineStep + j · step`. */
interface Layout {
  readonly count: number;
  readonly length: number;
  readonly lineStep: number;
  readonly step: number;
}

function placeAxis({ count, length: n, lineStep, step }: Layout) {
  const lines = Math.min(chunkLines, evenLines((count + 1) >> 1));
  const { order, cos, sin } = tables(n);
  const [places, c, s] = [put(order), put(cos), put(sin)];
  const room = take(16 * n * lines);
  const transform = planPlaced(n)(lines);
  const { cosineForwardIn, cosineForwardOut, cosineInverseIn, cosineInverseOut } = kernels();
  /** Pairs of lines do not know of each other: each chunk of them goes all the way. */
  const eachChunk = (plane: number, act: (at: number, lines: number) => void) => {
    for (let done = 0; done < count; done += 2 * lines)
      act(plane + 8 * done * lineStep, Math.min(2 * lines, count - done));
  };
  return {
    forward: (plane: number) =>
      eachChunk(plane, (at, some) => {
        cosineForwardIn(at, room, some, n, lineStep, step, lines, places);
        cosineForwardOut(transform(room), at, some, n, lineStep, step, lines, c, s);
      }),
    inverse: (plane: number) =>
      eachChunk(plane, (at, some) => {
        cosineInverseIn(at, room, some, n, lineStep, step, lines, c, s);
        cosineInverseOut(transform(room), at, some, n, lineStep, step, lines, places);
      }),
  };
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
