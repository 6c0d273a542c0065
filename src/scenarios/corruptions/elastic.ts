import type { Random } from '../../contracts/random.ts';
import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { uniforms } from './shared/noise.ts';
import { smoothField } from './shared/smooth-field.ts';
import { type Affine, affineBetween, type Point, warpTwice } from './shared/warp.ts';

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
    const signed = new Float64Array(values.length);
    for (let i = 0; i < signed.length; i++) signed[i] = 2 * values[i] - 1;
    const smooth = smoothField(signed, width, height, sigmaPx, { truncate: 3 });
    const out = new Float32Array(smooth.length);
    for (let i = 0; i < out.length; i++) out[i] = smooth[i] * alphaPx;
    return out;
  };
  return { affine: affineBetween(corners, moved), dx: displacement(noise.x), dy: displacement(noise.y) };
}

export function warpElastically({ width, height, data }: Raster, { affine, dx, dy }: ElasticWarp): Raster {
  const size = { width, height, channels: 3 };
  return createRaster(width, height, warpTwice({ ...size, data }, affine, dx, dy));
}

/** Moves the mask as the picture is moved; a pixel is object where more than half of what it shows is object. */
function warpMask({ width, height, data, ignore }: Mask, { affine, dx, dy }: ElasticWarp): Mask {
  const size = { width, height, channels: 1 };
  const moved = (layer: Uint8Array) => {
    const out = warpTwice({ ...size, data: layer }, affine, dx, dy);
    for (let i = 0; i < out.length; i++) out[i] = out[i] >= 128 ? 255 : 0;
    return out;
  };
  return ignore ? { width, height, data: moved(data), ignore: moved(ignore) } : createMask(width, height, moved(data));
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
