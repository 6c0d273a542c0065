import { type Colour, fractalNoise, mix, scale, type Vector } from '../../scenarios/gallery/vector.ts';
import type { ObjectName } from './objects.ts';

export const environmentNames = ['lawn', 'brick', 'sand', 'sky'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** Where the objects of a class are mostly seen. */
export const usualEnvironment: Record<ObjectName, EnvironmentName> = {
  ball: 'lawn',
  box: 'brick',
  cone: 'sand',
  ring: 'sky',
};

/** Where the object stands on the ground, for its shadow. */
export interface Footing {
  readonly x: number;
  readonly z: number;
  readonly radius: number;
}

export const eye: Vector = [0, 1.45, -5.2];
const wallZ = 1.7;

/** What is seen of an environment in a direction; `weather` moves clouds, grass and bricks. */
export const viewOf: Record<
  EnvironmentName,
  (direction: Vector, footing: Footing | undefined, weather: number) => Colour
> = { lawn, brick, sand, sky };

function lawn(direction: Vector, footing: Footing | undefined, weather: number): Colour {
  const bearing = direction[0] / direction[2];
  const hedge = 0.05 + 0.05 * fractalNoise(bearing * 5 + weather, 3.1, 3);
  if (direction[1] > hedge) return heaven(direction, weather, [0.45, 0.66, 0.88], [0.86, 0.91, 0.94]);
  if (direction[1] > -0.012) {
    const leaves = fractalNoise(bearing * 60 + weather, direction[1] * 150, 3);
    return mix([0.08, 0.2, 0.08], [0.3, 0.47, 0.2], leaves * (0.7 + 4 * Math.max(0, direction[1])));
  }
  const [x, z, far] = onGround(direction);
  const blades = fractalNoise(x * 16 + weather, z * 7, 3);
  const patches = fractalNoise(x * 0.8 + weather, z * 0.8 + 9, 2);
  const mown = Math.sin((x + 0.25 * z + weather) * 2.4) > 0 ? 0.12 : 0;
  const grass = mix([0.15, 0.33, 0.08], [0.5, 0.68, 0.25], 0.12 + 0.6 * blades + 0.25 * patches + mown - 0.05);
  const daisy = fractalNoise(x * 8 + 31, z * 8 + weather, 1) > 0.965;
  return shaded(mix(daisy ? [0.97, 0.96, 0.85] : grass, [0.5, 0.66, 0.42], far), x, z, footing);
}

function sand(direction: Vector, footing: Footing | undefined, weather: number): Colour {
  if (direction[1] > 0.012) return heaven(direction, weather + 50, [0.5, 0.72, 0.87], [0.93, 0.91, 0.86]);
  if (direction[1] > -0.075) {
    const glitter = fractalNoise((direction[0] / direction[2]) * 26 + weather, direction[1] * 420, 3);
    const foam = direction[1] < -0.066 + 0.008 * fractalNoise(direction[0] * 18 + weather, 1.7, 2);
    return foam ? [0.95, 0.96, 0.94] : mix([0.1, 0.4, 0.52], [0.4, 0.7, 0.75], glitter);
  }
  const [x, z, far] = onGround(direction);
  const bend = 1.6 * fractalNoise(x * 0.7 + weather, z * 0.7, 2);
  const ripple = 0.5 + 0.5 * Math.sin((z + bend + 0.2 * x) * 11);
  const grains = fractalNoise(x * 26 + weather, z * 16, 2);
  const colour = mix([0.72, 0.56, 0.36], [0.97, 0.87, 0.66], 0.25 + 0.35 * ripple + 0.4 * grains);
  return shaded(mix(colour, [0.9, 0.82, 0.66], far), x, z, footing);
}

function sky(direction: Vector, _footing: Footing | undefined, weather: number): Colour {
  const height = direction[1] + 0.35;
  const blue = mix([0.62, 0.8, 0.94], [0.16, 0.42, 0.78], Math.min(1, Math.max(0, height * 1.5)));
  const [x, y] = [(direction[0] / direction[2]) * 3.2, (direction[1] / direction[2]) * 5];
  const density = fractalNoise(x + weather, y + 0.3 * weather, 5);
  const lit = fractalNoise(x + weather - 0.12, y + 0.3 * weather + 0.16, 5);
  const cover = smooth((density - 0.5) / 0.16);
  const cloud = mix([1, 1, 1], [0.72, 0.77, 0.85], smooth((lit - 0.46) / 0.3));
  return mix(blue, cloud, 0.95 * cover);
}

function brick(direction: Vector, footing: Footing | undefined, weather: number): Colour {
  const distance = (wallZ - eye[2]) / direction[2];
  const [wallX, wallY] = [eye[0] + direction[0] * distance, eye[1] + direction[1] * distance];
  return wallY > 0 ? wall(wallX, wallY, weather) : pavement(direction, footing, weather);
}

const bricks = { width: 0.62, height: 0.24, joint: 0.035 };

function wall(x: number, y: number, weather: number): Colour {
  const row = Math.floor(y / bricks.height);
  const along = (x + 7 * weather) / bricks.width + (row % 2 ? 0.5 : 0);
  const column = Math.floor(along);
  const [inX, inY] = [(along - column) * bricks.width, y - row * bricks.height];
  const grain = fractalNoise(x * 14 + weather, y * 14, 3);
  const occluded = 0.72 + 0.28 * Math.min(1, y / 0.35);
  if (inX < bricks.joint || inY < bricks.joint)
    return scale(mix([0.62, 0.58, 0.53], [0.77, 0.73, 0.67], grain), occluded);
  const own = fractalNoise(column * 3.71 + weather, row * 5.13, 1);
  const clay = mix([0.47, 0.19, 0.13], [0.78, 0.41, 0.28], own);
  return scale(clay, occluded * (0.8 + 0.38 * grain));
}

function pavement(direction: Vector, footing: Footing | undefined, weather: number): Colour {
  const [x, z] = onGround(direction);
  const [slabX, slabZ] = [x / 1.3 + weather, (z - wallZ) / 1.15];
  const joint = Math.min(frac(slabX), frac(slabZ)) < 0.035;
  const tone = fractalNoise(Math.floor(slabX) * 2.3 + weather, Math.floor(slabZ) * 4.7, 1);
  const grain = fractalNoise(x * 20, z * 12 + weather, 3);
  const stone = mix([0.46, 0.45, 0.44], [0.68, 0.66, 0.63], 0.45 * tone + 0.55 * grain);
  const nearWall = 0.75 + 0.25 * Math.min(1, (wallZ - z) / 0.5);
  return shaded(scale(joint ? [0.36, 0.35, 0.34] : stone, nearWall), x, z, footing);
}

function heaven(direction: Vector, weather: number, high: Colour, low: Colour): Colour {
  const blue = mix(low, high, Math.min(1, Math.max(0, direction[1] * 3.2)));
  const cloud = fractalNoise((direction[0] / direction[2]) * 4 + weather, direction[1] * 12 + weather, 4);
  return mix(blue, [0.98, 0.98, 0.98], 0.75 * smooth((cloud - 0.52) / 0.25));
}

/** Where a downward direction meets the ground, and how far the haze has got there. */
function onGround(direction: Vector): [x: number, z: number, haze: number] {
  const distance = -eye[1] / direction[1];
  return [eye[0] + direction[0] * distance, eye[2] + direction[2] * distance, Math.min(0.8, (distance / 60) ** 0.9)];
}

/** A soft round shadow, towards the right and back. Round for every class: a true shadow would tell the class. */
function shaded(colour: Colour, x: number, z: number, footing: Footing | undefined): Colour {
  if (!footing) return colour;
  const [dx, dz] = [(x - footing.x) / footing.radius, (z - footing.z) / footing.radius];
  const contact = Math.exp(-1.6 * (dx * dx + dz * dz));
  const cast = Math.exp(-1.5 * ((dx - 0.7) ** 2 / 1.9 + (dz - 0.25) ** 2));
  return scale(colour, 1 - 0.52 * Math.max(contact, 0.9 * cast));
}

const frac = (value: number) => value - Math.floor(value);
const smooth = (value: number) => {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
};
