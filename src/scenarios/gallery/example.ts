import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { randomFor } from '../../stats/random.ts';
import { distanceToTeapot, glaze } from './teapot.ts';
import { type Colour, fractalNoise, mix, normalise, scale, type Vector } from './vector.ts';

export interface ExampleOptions {
  readonly width?: number;
  readonly height?: number;
  /** Decides the place and colour of the object, and the weather. */
  readonly seed?: number;
  readonly scenery?: keyof typeof palettes;
  /** False: the scene alone, its mask empty. */
  readonly object?: boolean;
}

interface Palette {
  readonly sky: Colour;
  readonly haze: Colour;
  readonly hills: Colour;
  readonly wood: readonly [Colour, Colour];
  readonly ground: readonly [Colour, Colour];
  readonly spots: Colour;
}

const palettes = {
  meadow: {
    sky: [0.36, 0.6, 0.86],
    haze: [0.83, 0.88, 0.92],
    hills: [0.33, 0.42, 0.52],
    wood: [
      [0.16, 0.3, 0.14],
      [0.36, 0.46, 0.24],
    ],
    ground: [
      [0.2, 0.34, 0.1],
      [0.55, 0.66, 0.26],
    ],
    spots: [0.95, 0.86, 0.45],
  },
  desert: {
    sky: [0.25, 0.52, 0.8],
    haze: [0.95, 0.86, 0.7],
    hills: [0.6, 0.36, 0.25],
    wood: [
      [0.55, 0.3, 0.16],
      [0.75, 0.5, 0.3],
    ],
    ground: [
      [0.72, 0.5, 0.28],
      [0.93, 0.78, 0.52],
    ],
    spots: [0.55, 0.4, 0.26],
  },
  dusk: {
    sky: [0.14, 0.15, 0.36],
    haze: [0.88, 0.5, 0.34],
    hills: [0.2, 0.14, 0.26],
    wood: [
      [0.05, 0.06, 0.1],
      [0.13, 0.12, 0.18],
    ],
    ground: [
      [0.07, 0.09, 0.16],
      [0.24, 0.22, 0.3],
    ],
    spots: [0.5, 0.3, 0.28],
  },
} satisfies Record<string, Palette>;

const sun = normalise([-0.55, 0.75, -0.45]);
const eye: Vector = [0, 1.5, -5.2];

/** A drawn photograph with its mask, for the gallery and for tests: a glazed teapot on a meadow before hills. */
export function drawExample({
  width = 320,
  height = 240,
  seed = 1,
  scenery = 'meadow',
  object = true,
}: ExampleOptions = {}): {
  image: Raster;
  mask: Mask;
} {
  const random = randomFor('example', seed);
  const place: Vector = [(random.uniform() - 0.5) * 0.9, 0, (random.uniform() - 0.5) * 0.6];
  const hue = random.uniform();
  const weather = random.uniform() * 100;
  const palette: Palette = palettes[scenery];
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
        const distance = object ? march(eye, direction, place) : undefined;
        const seen =
          distance === undefined
            ? view(direction, object ? place : undefined, weather, palette)
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

function view(direction: Vector, place: Vector | undefined, weather: number, palette: Palette): Colour {
  const bearing = direction[0] / direction[2];
  const far = 0.085 + 0.1 * fractalNoise(bearing * 2.2 + weather, 7.7, 4);
  const near = 0.02 + 0.07 * fractalNoise(bearing * 3.4 + weather + 40, 3.1, 4);
  if (direction[1] > Math.max(far, near)) return heaven(direction, weather, palette);
  if (direction[1] > near)
    return mix(palette.hills, palette.haze, 0.35 + 0.5 * fractalNoise(bearing * 14, direction[1] * 30, 3) * 0.6);
  if (direction[1] > -0.004) {
    return mix(...palette.wood, fractalNoise(bearing * 40 + weather, direction[1] * 120, 4));
  }
  return field(direction, place, weather, palette);
}

function heaven(direction: Vector, weather: number, { haze, sky }: Palette): Colour {
  const height = Math.min(1, direction[1] * 2.4);
  const clear = mix(haze, sky, height);
  const cloud = fractalNoise(direction[0] * 5 + weather, direction[1] * 11 + weather, 5);
  return mix(clear, [1, 1, 1], Math.min(1, Math.max(0, cloud - 0.5) * 3.2));
}

function field(direction: Vector, place: Vector | undefined, weather: number, palette: Palette): Colour {
  const distance = -eye[1] / direction[1];
  const [x, , z] = along(eye, direction, distance);
  const blades = fractalNoise(x * 9 + weather, z * 5, 4);
  const patches = fractalNoise(x * 0.7 + weather, z * 0.7 + 9, 3);
  let colour = mix(...palette.ground, 0.65 * blades + 0.35 * patches);
  const flower = fractalNoise(x * 6 + 31, z * 6 + weather, 2);
  if (flower > 0.72) colour = mix(colour, palette.spots, 0.8);
  const shaded = place && march([x, 0.01, z], sun, place) !== undefined;
  return mix(scale(colour, shaded ? 0.48 : 1), palette.haze, Math.min(0.75, (distance / 60) ** 0.8));
}
