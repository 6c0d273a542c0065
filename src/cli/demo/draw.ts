import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { type Colour, mix, scale, type Vector } from '../../scenarios/gallery/vector.ts';
import { randomFor } from '../../stats/random.ts';
import { type EnvironmentName, eye, type Footing, viewOf } from './environments.ts';
import { distanceTo, type ObjectLook, paintAt } from './objects.ts';

export interface PictureOptions {
  readonly look: ObjectLook;
  readonly environment: EnvironmentName;
  /** Decides the place of the object, the weather and the light. */
  readonly seed: string | number;
  readonly sizePx?: number;
}

export interface Picture {
  readonly image: Raster;
  readonly mask: Mask;
}

// Math.hypot takes several times as long as the root, and here it would be called for every ray.
const unit = ([x, y, z]: Vector): Vector => {
  const inverse = 1 / Math.sqrt(x * x + y * y + z * z);
  return [x * inverse, y * inverse, z * inverse];
};
const sun = unit([-0.55, 0.75, -0.5]);
/** Rays per pixel, in a two by two grid; those of one row share what they see of the environment. */
const rays = [
  { dx: 0.25, dy: 0.25, row: 0 },
  { dx: 0.75, dy: 0.25, row: 0 },
  { dx: 0.75, dy: 0.75, row: 1 },
  { dx: 0.25, dy: 0.75, row: 1 },
] as const;

/** One picture with its mask: a pixel is object where at least half of its rays meet the object. */
export function drawPicture({ look, environment, seed, sizePx = 160 }: PictureOptions): Picture {
  const random = randomFor('demo picture', seed);
  const place: Vector = [(random.uniform() - 0.5) * 1.1, 0, (random.uniform() - 0.5) * 0.9];
  const weather = random.uniform() * 40;
  const light = 0.9 + 0.2 * random.uniform();
  // Nothing to stand on in the sky: there it hovers, and throws no shadow.
  const lift = environment === 'sky' ? 0.1 + 0.5 * random.uniform() : 0;
  const object = placeObject(look, [place[0], lift, place[2]]);
  const footing: Footing = { x: place[0], z: place[2], radius: 0.95 * look.size };
  const image = createRaster(sizePx, sizePx);
  const mask = createMask(sizePx, sizePx);
  for (let y = 0; y < sizePx; y++) {
    for (let x = 0; x < sizePx; x++) {
      const sum = [0, 0, 0];
      const behind: (Colour | undefined)[] = [undefined, undefined];
      let hits = 0;
      for (const { dx, dy, row } of rays) {
        const direction = unit([0.8 * ((x + dx) / sizePx - 0.5), -0.8 * ((y + dy) / sizePx - 0.4), 1]);
        const surface = object(direction);
        if (surface) hits++;
        const colour = surface ?? (behind[row] ??= viewOf[environment](direction, footing, weather));
        for (let c = 0; c < 3; c++) sum[c] += colour[c];
      }
      const i = y * sizePx + x;
      if (2 * hits >= rays.length) mask.data[i] = 255;
      for (let c = 0; c < 3; c++)
        image.data[3 * i + c] = Math.round(255 * Math.min(1, Math.max(0, (light * sum[c]) / rays.length)));
    }
  }
  return { image, mask };
}

/** Sphere tracing of one placed object: the colour a ray sees of it, undefined where it passes by. */
function placeObject(look: ObjectLook, place: Vector): (direction: Vector) => Colour | undefined {
  const { size, turn, name } = look;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const local = ([x, y, z]: Vector): Vector => {
    const [dx, dy, dz] = [(x - place[0]) / size, (y - place[1]) / size, (z - place[2]) / size];
    return [cos * dx - sin * dz, dy, sin * dx + cos * dz];
  };
  const distance = (point: Vector) => size * distanceTo[name](local(point));
  const centre: Vector = [place[0], place[1] + 0.9 * size, place[2]];
  const reach = 1.5 * size;
  const toCentre: Vector = [centre[0] - eye[0], centre[1] - eye[1], centre[2] - eye[2]];
  const farthest = dot(toCentre, toCentre) - reach * reach;
  return (direction) => {
    // Rays that pass the ball around the object by need no tracing.
    const closest = dot(toCentre, direction);
    if (closest * closest < farthest) return undefined;
    let travelled = closest - reach;
    for (let step = 0; step < 80 && travelled < closest + reach; step++) {
      const point = along(eye, direction, travelled);
      const gap = distance(point);
      if (gap < 0.0004) return shade(look, point, direction, distance, local, place[1]);
      travelled += gap;
    }
    return undefined;
  };
}

function shade(
  look: ObjectLook,
  point: Vector,
  direction: Vector,
  distance: (point: Vector) => number,
  local: (point: Vector) => Vector,
  ground: number,
): Colour {
  const e = 0.004;
  const slope = (dx: number, dy: number, dz: number) =>
    distance([point[0] + dx, point[1] + dy, point[2] + dz]) - distance([point[0] - dx, point[1] - dy, point[2] - dz]);
  const normal = unit([slope(e, 0, 0), slope(0, e, 0), slope(0, 0, e)]);
  const facing = Math.max(0, dot(normal, sun));
  const nearGround = 0.75 + 0.25 * Math.min(1, (point[1] - ground) / 0.5);
  const glow = (0.42 + 0.16 * normal[1]) * nearGround;
  const lit = scale(paintAt(look, local(point)), glow + 0.68 * facing);
  const half = unit([sun[0] - direction[0], sun[1] - direction[1], sun[2] - direction[2]]);
  return mix(lit, [1, 1, 0.97], 0.55 * Math.max(0, dot(normal, half)) ** 40);
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const along = (from: Vector, direction: Vector, distance: number): Vector => [
  from[0] + direction[0] * distance,
  from[1] + direction[1] * distance,
  from[2] + direction[2] * distance,
];
