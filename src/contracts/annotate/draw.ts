import { clipRect, isNothing, joinRects, nothing, type ObjectPlane, type Rect } from './plane.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Everything within `radiusPx` of the line between two points; pixels count by their middle. A point is the middle of its
 * pixel where it ends in .5. Returns the rectangle that may have changed.
 */
export function drawStroke(plane: ObjectPlane, from: Point, to: Point, radiusPx: number, value: number): Rect {
  const radius = Math.max(0.5, radiusPx);
  const rect = clipRect(plane, {
    left: Math.min(from.x, to.x) - radius,
    top: Math.min(from.y, to.y) - radius,
    right: Math.max(from.x, to.x) + radius,
    bottom: Math.max(from.y, to.y) + radius,
  });
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length2 = dx * dx + dy * dy;
  for (let y = rect.top; y < rect.bottom; y++) {
    const v = y + 0.5 - from.y;
    for (let x = rect.left; x < rect.right; x++) {
      const u = x + 0.5 - from.x;
      const along = length2 ? Math.min(1, Math.max(0, (u * dx + v * dy) / length2)) : 0;
      const [a, b] = [u - along * dx, v - along * dy];
      if (a * a + b * b <= radius * radius) plane.data[y * plane.width + x] = value;
    }
  }
  return rect;
}

/** Pixels whose middle lies inside a closed polygon, by the even-odd rule. */
export function fillPolygon(plane: ObjectPlane, points: readonly Point[], value: number): Rect {
  if (points.length < 3) return nothing;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const bounds = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  const rect = clipRect(plane, bounds);
  for (let y = rect.top; y < rect.bottom; y++) {
    const crossings = crossingsAt(points, y + 0.5);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const start = Math.max(0, Math.ceil(crossings[i] - 0.5));
      const end = Math.min(plane.width, Math.ceil(crossings[i + 1] - 0.5));
      if (end > start) plane.data.fill(value, y * plane.width + start, y * plane.width + end);
    }
  }
  return rect;
}

function crossingsAt(points: readonly Point[], y: number): number[] {
  const found: number[] = [];
  let before = points[points.length - 1];
  for (const point of points) {
    if (before.y <= y !== point.y <= y)
      found.push(before.x + ((y - before.y) / (point.y - before.y)) * (point.x - before.x));
    before = point;
  }
  return found.sort((a, b) => a - b);
}

/** The connected piece of one value about a point (by its four neighbours), in spans of a row. */
export function fillPiece(plane: ObjectPlane, at: Point, value: number): Rect {
  const { width, height, data } = plane;
  const [x0, y0] = [Math.floor(at.x), Math.floor(at.y)];
  if (x0 < 0 || y0 < 0 || x0 >= width || y0 >= height) return nothing;
  const old = data[y0 * width + x0];
  if (old === value) return nothing;
  let changed = nothing;
  const open = [x0, y0];
  while (open.length) {
    const y = open.pop() as number;
    const x = open.pop() as number;
    const row = y * width;
    if (data[row + x] !== old) continue;
    let left = x;
    while (left > 0 && data[row + left - 1] === old) left--;
    let right = x + 1;
    while (right < width && data[row + right] === old) right++;
    data.fill(value, row + left, row + right);
    changed = joinRects(changed, { left, top: y, right, bottom: y + 1 });
    for (const next of [y - 1, y + 1]) {
      if (next < 0 || next >= height) continue;
      for (let u = left; u < right; u++) {
        const here = data[next * width + u] === old;
        if (here && (u === left || data[next * width + u - 1] !== old)) open.push(u, next);
      }
    }
  }
  return changed;
}

/**
 * What a machine found inside a rectangle: there the object becomes what was found. Other objects and doubt keep their
 * pixels.
 */
export function replaceObject(plane: ObjectPlane, rect: Rect, found: Uint8Array, object: number): Rect {
  const { width, data } = plane;
  const inside = clipRect(plane, rect);
  if (isNothing(inside)) return nothing;
  for (let y = inside.top; y < inside.bottom; y++)
    for (let x = inside.left; x < inside.right; x++) {
      const i = y * width + x;
      if (data[i] !== 0 && data[i] !== object) continue;
      data[i] = found[i] ? object : 0;
    }
  return inside;
}
