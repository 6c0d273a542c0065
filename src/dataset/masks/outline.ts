/** Corners and edges of what is drawn may lie outside a picture, but not so far that drawing them takes for ever. */
const mostSteps = 5_000_000;

/** Throws a plain Error where a polygon is no outline in a picture of that size, or one too long to follow. */
export function checkOutline(polygon: readonly number[], width: number, height: number): void {
  const reach = 64 + 8 * Math.max(width, height);
  let lengthPx = 0;
  const corners = polygon.length >> 1;
  for (let i = 0; i < corners; i++) {
    const [x, y] = [polygon[2 * i], polygon[2 * i + 1]];
    if (!(Math.abs(x) <= reach && Math.abs(y) <= reach))
      throw new Error(`a corner lies at ${x}, ${y}, far outside the picture of ${width} × ${height}`);
    const next = (i + 1) % corners;
    lengthPx += 1 + Math.max(Math.abs(polygon[2 * next] - x), Math.abs(polygon[2 * next + 1] - y));
  }
  if (lengthPx > mostSteps) throw new Error(`its outline is ${Math.round(lengthPx)} pixels long`);
}
