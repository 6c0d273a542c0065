import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { randomFor } from '../../stats/random.ts';
import { distanceToTeapot, glaze } from './teapot.ts';
import { type Colour, fractalNoise, mix, normalise, scale, type Vector } from './vector.ts';

export interface ExampleOptions {
  readonly width?: number;
  readonly height?: number;
  /** Decides the place and colour of the object, the weather and the ground. */
  readonly seed?: number;
}

const sun = normalise([-0.55, 0.75, -0.45]);
const eye: Vector = [0, 1.5, -5.2];
const sky: Colour = [0.36, 0.6, 0.86];
const haze: Colour = [0.83, 0.88, 0.92];

/** A drawn photograph with its mask, for the gallery and for tests: a glazed teapot on a meadow before hills. */
export function drawExample({ width = 320, height = 240, seed = 1 }: ExampleOptions = {}): {
  image: Raster;
  mask: Mask;
} {
  const random = randomFor('example', seed);
  const place: Vector = [(random.uniform() - 0.5) * 0.9, 0, (random.uniform() - 0.5) * 0.6];
  const hue = random.uniform();
  const weather = random.uniform() * 100;
  const image = createRaster(width, height);
  const mask = createMask(width, height);
  const ray = (x: number, y: number) => {
    const zoom = 2.7 / Math.min(width, height);
    return normalise([(x - width / 2) * zoom, -(y - height * 0.4) * zoom, 3.4]);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = [0, 0, 0];
      let hits = 0;
      // Four rays a pixel soften the edges; the mask takes the pixels that are mostly object.
      for (const [dx, dy] of [
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ]) {
        const direction = ray(x + dx, y + dy);
        const distance = march(eye, direction, place);
        const seen =
          distance === undefined
            ? scenery(direction, place, weather)
            : pot(along(eye, direction, distance), direction, place, hue);
        if (distance !== undefined) hits++;
        for (let c = 0; c < 3; c++) colour[c] += seen[c] / 4;
      }
      const i = y * width + x;
      if (hits > 2) mask.data[i] = 255;
      for (let c = 0; c < 3; c++)
        image.data[3 * i + c] = Math.round(255 * Math.min(1, Math.max(0, colour[c])) ** (1 / 1.1));
    }
  }
  return { image, mask };
}

const along = (from: Vector, direction: Vector, distance: number): Vector => [
  from[0] + direction[0] * distance,
  from[1] + direction[1] * distance,
  from[2] + direction[2] * distance,
];

const distanceTo = (point: Vector, place: Vector) =>
  distanceToTeapot([point[0] - place[0], point[1] - place[1], point[2] - place[2]]);

/** Sphere tracing; undefined where the ray passes the object by. */
function march(from: Vector, direction: Vector, place: Vector): number | undefined {
  let distance = 0;
  for (let step = 0; step < 64; step++) {
    const gap = distanceTo(along(from, direction, distance), place);
    if (gap < 0.002) return distance;
    distance += gap;
    if (distance > 9) return undefined;
  }
  return undefined;
}

function pot(point: Vector, direction: Vector, place: Vector, hue: number): Colour {
  const e = 0.003;
  const slope = (dx: number, dy: number, dz: number) =>
    distanceTo([point[0] + dx, point[1] + dy, point[2] + dz], place) -
    distanceTo([point[0] - dx, point[1] - dy, point[2] - dz], place);
  const normal = normalise([slope(e, 0, 0), slope(0, e, 0), slope(0, 0, e)]);
  const facing = Math.max(0, normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2]);
  const local: Vector = [point[0] - place[0], point[1], point[2] - place[2]];
  const lit = scale(glaze(local, hue), 0.32 + 0.18 * Math.max(0, normal[1]) + 0.72 * facing);
  const half = normalise([sun[0] - direction[0], sun[1] - direction[1], sun[2] - direction[2]]);
  const shine = Math.max(0, normal[0] * half[0] + normal[1] * half[1] + normal[2] * half[2]) ** 60;
  return mix(lit, [1, 1, 0.97], 0.75 * shine);
}

function scenery(direction: Vector, place: Vector, weather: number): Colour {
  const bearing = direction[0] / direction[2];
  const far = 0.085 + 0.1 * fractalNoise(bearing * 2.2 + weather, 7.7, 4);
  const near = 0.02 + 0.07 * fractalNoise(bearing * 3.4 + weather + 40, 3.1, 4);
  if (direction[1] > Math.max(far, near)) return heaven(direction, weather);
  if (direction[1] > near)
    return mix([0.33, 0.42, 0.52], haze, 0.35 + 0.5 * fractalNoise(bearing * 14, direction[1] * 30, 3) * 0.6);
  if (direction[1] > -0.004) {
    return mix([0.16, 0.3, 0.14], [0.36, 0.46, 0.24], fractalNoise(bearing * 40 + weather, direction[1] * 120, 4));
  }
  return meadow(direction, place, weather);
}

function heaven(direction: Vector, weather: number): Colour {
  const height = Math.min(1, direction[1] * 2.4);
  const clear = mix(haze, sky, height);
  const cloud = fractalNoise(direction[0] * 5 + weather, direction[1] * 11 + weather, 5);
  return mix(clear, [1, 1, 1], Math.min(1, Math.max(0, cloud - 0.5) * 3.2));
}

function meadow(direction: Vector, place: Vector, weather: number): Colour {
  const distance = -eye[1] / direction[1];
  const [x, , z] = along(eye, direction, distance);
  const blades = fractalNoise(x * 9 + weather, z * 5, 4);
  const patches = fractalNoise(x * 0.7 + weather, z * 0.7 + 9, 3);
  let colour = mix([0.2, 0.34, 0.1], [0.55, 0.66, 0.26], 0.65 * blades + 0.35 * patches);
  const flower = fractalNoise(x * 6 + 31, z * 6 + weather, 2);
  if (flower > 0.72) colour = mix(colour, [0.95, 0.86, 0.45], 0.8);
  const shade = march([x, 0.01, z], sun, place) === undefined ? 1 : 0.48;
  return mix(scale(colour, shade), haze, Math.min(0.75, (distance / 60) ** 0.8));
}
