import type { Random } from '../../contracts/random.ts';
import { type Colour, mix, type Vector } from '../../scenarios/gallery/vector.ts';

export const objectNames = ['ball', 'box', 'cone', 'ring'] as const;
export type ObjectName = (typeof objectNames)[number];

/** What makes one object this one and no other of its class: a group of the dataset. */
export interface ObjectLook {
  readonly name: ObjectName;
  readonly paint: Colour;
  readonly trim: Colour;
  /** Radians about the vertical. */
  readonly turn: number;
  readonly size: number;
}

/** One list for all classes, so that a colour says nothing about the class. */
const paints: readonly Colour[] = [
  [0.82, 0.16, 0.13],
  [0.93, 0.49, 0.1],
  [0.93, 0.75, 0.14],
  [0.1, 0.5, 0.47],
  [0.13, 0.33, 0.7],
  [0.45, 0.22, 0.6],
  [0.85, 0.28, 0.5],
  [0.22, 0.24, 0.28],
];
const trims: readonly Colour[] = [
  [0.95, 0.93, 0.87],
  [0.9, 0.87, 0.76],
  [0.98, 0.98, 0.98],
];

export function drawLook(name: ObjectName, random: Random): ObjectLook {
  // A ring seen from its edge would be a bar.
  const turnRange = name === 'ring' ? 1.5 : 2 * Math.PI;
  return {
    name,
    paint: random.pick(paints),
    trim: random.pick(trims),
    turn: (random.uniform() - 0.5) * turnRange,
    size: 0.88 + 0.27 * random.uniform(),
  };
}

/** Signed distance, or a lower bound of it, to an object about 1.8 units high that stands at the origin. */
export const distanceTo: Record<ObjectName, (point: Vector) => number> = {
  ball: ([x, y, z]) => length(x, y - 0.86, z) - 0.86,
  box: ([x, y, z]) => {
    const [dx, dy, dz] = [Math.abs(x) - 0.66, Math.abs(y - 0.72) - 0.66, Math.abs(z) - 0.66];
    const outside = length(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
    return outside + Math.min(0, Math.max(dx, dy, dz)) - 0.06;
  },
  cone: ([x, y, z]) => {
    const slope = 0.34;
    const side = (length(x, z) - 0.7 + slope * y) / Math.sqrt(1 + slope * slope);
    const cone = Math.max(side, y - 1.88, -y);
    const plate = Math.max(Math.abs(x) - 0.82, Math.abs(z) - 0.82, Math.abs(y - 0.06) - 0.06);
    return Math.min(cone, plate);
  },
  ring: ([x, y, z]) => length(length(x, y - 0.92) - 0.66, z) - 0.26,
};

const length = (x: number, y: number, z = 0) => Math.sqrt(x * x + y * y + z * z);

/** The colour of the surface at a point of it. */
export function paintAt({ name, paint, trim }: ObjectLook, [x, y, z]: Vector): Colour {
  if (name === 'ball') {
    // Panels about a leaning axis, as on a beach ball.
    const across = 0.6 * (y - 0.86) + 0.8 * z;
    if (Math.hypot(x, across) < 0.14) return trim;
    return Math.floor((Math.atan2(across, x) / Math.PI + 1) * 3) % 2 ? paint : trim;
  }
  if (name === 'box') return Math.abs(x) < 0.12 || Math.abs(z) < 0.12 ? trim : paint;
  if (name === 'cone') return Math.abs(y - 0.72) < 0.16 || Math.abs(y - 1.3) < 0.12 ? trim : paint;
  const around = (Math.atan2(y - 0.92, x) / (2 * Math.PI) + 0.625) * 4;
  return Math.abs(around - Math.round(around)) < 0.17 ? trim : mix(paint, trim, 0.04);
}
