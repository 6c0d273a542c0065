import { type Colour, mix, type Vector } from './vector.ts';

/** Signed distance (a lower bound of it) to a teapot of about two units, standing at the origin. */
export function distanceToTeapot([x, y, z]: Vector): number {
  // Far away the bounding sphere is a good enough lower bound of the distance, and cheap.
  const bound = Math.hypot(x, y - 0.8, z) - 1.75;
  if (bound > 0.3) return bound;
  const body = ellipsoid(x, y - 0.72, z, 0.9, 0.72, 0.9);
  const foot = Math.max(Math.hypot(x, z) - 0.55, Math.abs(y - 0.05) - 0.05);
  const lid = ellipsoid(x, y - 1.34, z, 0.5, 0.2, 0.5);
  const knob = Math.hypot(x, y - 1.6, z) - 0.13;
  const spout = taperedCapsule(x, y, z, [0.7, 0.5, 0], [1.42, 1.25, 0], 0.21, 0.1);
  const handle = Math.hypot(Math.hypot(x + 0.92, y - 0.85) - 0.42, z) - 0.095;
  return blend(Math.min(blend(blend(body, lid, 0.06), foot, 0.05), knob), blend(spout, handle, 0.01), 0.08);
}

function ellipsoid(x: number, y: number, z: number, rx: number, ry: number, rz: number): number {
  const near = Math.hypot(x / rx, y / ry, z / rz);
  const steep = Math.hypot(x / rx ** 2, y / ry ** 2, z / rz ** 2);
  return steep === 0 ? -Math.min(rx, ry, rz) : (near * (near - 1)) / steep;
}

function taperedCapsule(x: number, y: number, z: number, a: Vector, b: Vector, ra: number, rb: number): number {
  const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
  const at = Math.min(1, Math.max(0, (px * bx + py * by + pz * bz) / (bx * bx + by * by + bz * bz)));
  return Math.hypot(px - bx * at, py - by * at, pz - bz * at) - (ra + (rb - ra) * at);
}

/** The smaller of two distances, rounded where the bodies meet. */
function blend(a: number, b: number, radius: number): number {
  const h = Math.max(0, radius - Math.abs(a - b)) / radius;
  return Math.min(a, b) - (h * h * radius) / 4;
}

/** Cream with two painted bands and dots between them. */
export function glaze([x, y, z]: Vector, hue: number): Colour {
  const paint = fromHue(hue);
  const cream: Colour = [0.93, 0.89, 0.8];
  const band = (middle: number, half: number) => Math.abs(y - middle) < half;
  if (band(0.32, 0.05) || band(1.1, 0.045) || y > 1.5) return paint;
  const around = Math.atan2(z, x) / (2 * Math.PI);
  const column = around * 18;
  const dot = Math.hypot((column - Math.round(column)) * 0.36, y - 0.71);
  return Math.hypot(x, z) < 1 && dot < 0.12 ? mix(paint, cream, 0.1) : cream;
}

function fromHue(hue: number): Colour {
  const channel = (offset: number) =>
    0.15 + 0.6 * Math.min(1, Math.max(0, Math.abs(((((hue + offset) % 1) + 1) % 1) * 6 - 3) - 1));
  return [channel(0), channel(2 / 3), channel(1 / 3)];
}
