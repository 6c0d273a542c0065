import { checkOutline } from './outline.ts';

/**
 * Fills a polygon as LabelMe does, which draws it with Pillow's `ImageDraw.polygon`: corners cut to whole pixels, on every
 * row the pixels between each pair of crossings (even–odd), the outline included. Pillow's releases treat sharp corners
 * differently from one another; those few pixels are left out here.
 */
export function fillLabelmePolygon(polygon: readonly number[], width: number, height: number, plane: Uint8Array): void {
  checkOutline(polygon, width, height);
  const edges = edgesOf(polygon);
  let bottom = Number.NEGATIVE_INFINITY;
  for (const edge of edges) bottom = Math.max(bottom, edge.bottom);
  edges.sort((a, b) => a.top - b.top);
  let waiting = 0;
  let active: Edge[] = [];
  for (let y = Math.max(0, edges[0]?.top ?? 0); y <= Math.min(height - 1, bottom); y++) {
    while (waiting < edges.length && edges[waiting].top <= y) active.push(edges[waiting++]);
    active = active.filter((edge) => edge.bottom >= y);
    const crossings: number[] = [];
    for (const edge of active) {
      if (edge.top === edge.bottom) {
        fillRow(plane, width, y, Math.min(edge.x0, edge.x1), Math.max(edge.x0, edge.x1));
        continue;
      }
      // Pillow computes in single precision.
      const slope = Math.fround((edge.x1 - edge.x0) / (edge.y1 - edge.y0));
      const x = Math.fround(Math.fround((y - edge.y0) * slope) + edge.x0);
      crossings.push(x);
      // An edge's lower end counts twice, so that a corner where two edges meet does not end the span.
      if (y === edge.bottom && y < bottom) crossings.push(x);
    }
    crossings.sort((a, b) => a - b);
    for (let i = 1; i < crossings.length; i += 2)
      fillRow(plane, width, y, roundHalfOut(crossings[i - 1]), roundHalfIn(crossings[i]));
  }
}

interface Edge {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly top: number;
  readonly bottom: number;
}

function edgesOf(polygon: readonly number[]): Edge[] {
  const corners = polygon.length >> 1;
  return Array.from({ length: corners }, (_, i) => {
    const next = (i + 1) % corners;
    const [x0, y0, x1, y1] = [polygon[2 * i], polygon[2 * i + 1], polygon[2 * next], polygon[2 * next + 1]].map(
      Math.trunc,
    );
    return { x0, y0, x1, y1, top: Math.min(y0, y1), bottom: Math.max(y0, y1) };
  });
}

/** LabelMe's circle: Pillow's `ellipse` in the square around it, cut to whole pixels, the outline through pixel centres. */
export function fillCircle(
  [cx, cy, radius]: readonly [number, number, number],
  width: number,
  height: number,
  plane: Uint8Array,
): void {
  if (![cx, cy, radius].every(Number.isFinite)) throw new Error(`its circle is at ${cx}, ${cy}, radius ${radius}`);
  const [left, top, right, bottom] = [cx - radius, cy - radius, cx + radius, cy + radius].map(Math.trunc);
  const middleX = (left + right) / 2;
  const middleY = (top + bottom) / 2;
  const halfWidth = (right - left) / 2;
  const halfHeight = (bottom - top) / 2;
  const reach = (dy: number) => halfWidth * Math.sqrt(Math.max(0, 1 - (Math.max(0, dy) / (halfHeight || 1)) ** 2));
  for (let y = Math.max(0, top); y <= Math.min(height - 1, bottom); y++) {
    const dy = Math.abs(y - middleY);
    // The outline's pixel nearest to the curve: in its row where it is steep, in its column where it is flat.
    const end = Math.max(roundHalfIn(middleX + reach(dy)), Math.floor(middleX + reach(dy - 0.5)));
    fillRow(plane, width, y, left + right - end, end);
  }
}

function fillRow(plane: Uint8Array, width: number, y: number, from: number, to: number): void {
  const start = Math.max(0, from);
  const end = Math.min(width - 1, to);
  if (end >= start) plane.fill(255, y * width + start, y * width + end + 1);
}

const roundHalfOut = (x: number) => (x >= 0 ? Math.floor(x + 0.5) : -Math.floor(-x + 0.5));
const roundHalfIn = (x: number) => (x >= 0 ? Math.ceil(x - 0.5) : -Math.ceil(-x - 0.5));
