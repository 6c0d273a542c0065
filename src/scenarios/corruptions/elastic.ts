import type { Random } from '../../contracts/random.ts';
import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { uniforms } from './shared/noise.ts';
import { smoothField } from './shared/smooth-field.ts';
import { type Affine, affineBetween, displace, type Point, warpAffine } from './shared/warp.ts';

/** For a picture of 224 px, where the original says shares of 244. */
export interface Elastic {
  /** The smoothed noise, uniform in ±1, is multiplied by this to displace a pixel. */
  readonly alphaPx: number;
  readonly sigmaPx: number;
  /** How far the three corners of the affine map move at most. */
  readonly jitterPx: number;
}

export const elasticSettings: Severities<Elastic> = [
  { alphaPx: 244 * 2, sigmaPx: 244 * 0.7, jitterPx: 244 * 0.1 },
  { alphaPx: 244 * 2, sigmaPx: 244 * 0.08, jitterPx: 244 * 0.2 },
  { alphaPx: 244 * 0.05, sigmaPx: 244 * 0.01, jitterPx: 244 * 0.02 },
  { alphaPx: 244 * 0.07, sigmaPx: 244 * 0.01, jitterPx: 244 * 0.02 },
  { alphaPx: 244 * 0.12, sigmaPx: 244 * 0.01, jitterPx: 244 * 0.02 },
];

/** The same change of the frame at any size. A wider kernel averages more noise away, hence the square. */
function scaled({ alphaPx, sigmaPx, jitterPx }: Elastic, side: number): Elastic {
  const scale = side / 224;
  return { alphaPx: alphaPx * scale ** 2, sigmaPx: sigmaPx * scale, jitterPx: jitterPx * scale };
}

/** All uniform in [0, 1): x and y of three corners; one value a pixel for each direction. */
export interface ElasticNoise {
  readonly corners: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** How a picture is warped: first by an affine map, then each pixel read (dx, dy) away from its place. */
interface ElasticWarp {
  readonly affine: Affine;
  readonly dx: Float32Array;
  readonly dy: Float32Array;
}

export function elasticWarp(
  width: number,
  height: number,
  { alphaPx, sigmaPx, jitterPx }: Elastic,
  noise: ElasticNoise,
): ElasticWarp {
  const half: Point = [Math.floor(width / 2), Math.floor(height / 2)];
  const reach = Math.max(1, Math.floor(Math.min(width, height) / 3));
  const corners: Point[] = [
    [half[0] + reach, half[1] + reach],
    [half[0] + reach, half[1] - reach],
    [half[0] - reach, half[1] - reach],
  ];
  const jitter = (i: number) => Math.fround(jitterPx * (2 * noise.corners[i] - 1));
  const moved = corners.map(([x, y], i): Point => [Math.fround(x + jitter(2 * i)), Math.fround(y + jitter(2 * i + 1))]);
  const displacement = (values: Float64Array) => {
    const signed = values.map((value) => 2 * value - 1);
    const smooth = smoothField(signed, width, height, sigmaPx, { truncate: 3 });
    return new Float32Array(smooth.map((value) => value * alphaPx));
  };
  return { affine: affineBetween(corners, moved), dx: displacement(noise.x), dy: displacement(noise.y) };
}

export function warpElastically(image: Raster, { affine, dx, dy }: ElasticWarp): Raster {
  const { width, height } = image;
  const values = displace(warpAffine(image, affine), width, height, dx, dy);
  const out = createRaster(width, height);
  for (let i = 0; i < values.length; i++) out.data[i] = Math.fround(values[i] * 255);
  return out;
}

/** Moves the mask as the picture is moved; a pixel is object where more than half of what it shows is object. */
function warpMask(mask: Mask, warp: ElasticWarp): Mask {
  const { width, height, data, ignore } = mask;
  const layers = createRaster(width, height);
  for (let i = 0; i < data.length; i++) {
    layers.data[3 * i] = data[i];
    layers.data[3 * i + 1] = ignore?.[i] ?? 0;
  }
  const warped = warpElastically(layers, warp).data;
  const layer = (channel: number) => data.map((_, i) => (warped[3 * i + channel] >= 128 ? 255 : 0));
  return ignore ? { width, height, data: layer(0), ignore: layer(1) } : createMask(width, height, layer(0));
}

function drawNoise(random: Random, pixels: number): ElasticNoise {
  return { corners: uniforms(random, 6), x: uniforms(random, pixels), y: uniforms(random, pixels) };
}

export const elastic = defineCorruption({
  id: 'elastic',
  title: 'Elastic transform',
  description: 'Stretched and sheared (severity 1 and 2) or locally warped (3 to 5), as on rubber (ImageNet-C).',
  severities: elasticSettings,
  corrupt: (image, setting, random) => {
    const { width, height } = image;
    const noise = drawNoise(random, width * height);
    const warp = elasticWarp(width, height, scaled(setting, Math.min(width, height)), noise);
    return { image: warpElastically(image, warp), move: (mask) => warpMask(mask, warp) };
  },
});
