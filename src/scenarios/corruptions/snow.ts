import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { motionBlur } from './shared/motion.ts';
import { normals } from './shared/noise.ts';
import { zoomField } from './shared/zoom.ts';

export interface Snow {
  /** Mean and standard deviation of the noise that flakes are cut from. */
  readonly mean: number;
  readonly sigma: number;
  /** Size of a flake: the noise is enlarged so many times. */
  readonly zoom: number;
  /** What is darker is no flake. */
  readonly threshold: number;
  readonly radiusPx: number;
  readonly sigmaPx: number;
  /** Share of the photograph; the rest is its whitened version. */
  readonly keep: number;
}

export const snowSettings: Severities<Snow> = [
  { mean: 0.1, sigma: 0.3, zoom: 3, threshold: 0.5, radiusPx: 10, sigmaPx: 4, keep: 0.8 },
  { mean: 0.2, sigma: 0.3, zoom: 2, threshold: 0.5, radiusPx: 12, sigmaPx: 4, keep: 0.7 },
  { mean: 0.55, sigma: 0.3, zoom: 4, threshold: 0.9, radiusPx: 12, sigmaPx: 8, keep: 0.7 },
  { mean: 0.55, sigma: 0.3, zoom: 4.5, threshold: 0.85, radiusPx: 12, sigmaPx: 8, keep: 0.65 },
  { mean: 0.55, sigma: 0.3, zoom: 2.5, threshold: 0.85, radiusPx: 12, sigmaPx: 12, keep: 0.55 },
];

/** Falling flakes, one value a pixel, from standard normal `noise` of the same size. */
export function snowflakes(
  noise: Float64Array,
  width: number,
  height: number,
  { mean, sigma, zoom, threshold, ...motion }: Snow,
  angleDegrees: number,
): Uint8Array {
  const layer = zoomField(
    noise.map((value) => mean + sigma * value),
    width,
    height,
    zoom,
  );
  const flakes = new Uint8Array(layer.map((value) => (value < threshold ? 0 : toLevel(value))));
  return motionBlur({ width, height, data: flakes }, 1, motion, angleDegrees);
}

/** Whitened, and the flakes added twice: as they are and turned by 180°. */
export function addSnow(image: Raster, flakes: Uint8Array, keep: number): Raster {
  const { width, height, data } = image;
  const out = createRaster(width, height);
  const last = flakes.length - 1;
  for (let p = 0, i = 0; p <= last; p++) {
    const grey = 0.299 * levelAsShare[data[i]] + 0.587 * levelAsShare[data[i + 1]] + 0.114 * levelAsShare[data[i + 2]];
    const white = grey * 1.5 + 0.5;
    const snow = levelAsShare[flakes[p]] + levelAsShare[flakes[last - p]];
    for (let c = 0; c < 3; c++, i++) {
      const value = levelAsShare[data[i]];
      out.data[i] = toLevel(keep * value + (1 - keep) * Math.max(value, white) + snow);
    }
  }
  return out;
}

export const snow = defineCorruption({
  id: 'snow',
  title: 'Snow',
  description: 'The scene whitened and streaks of falling flakes laid over it (ImageNet-C).',
  severities: snowSettings,
  corrupt: (image, setting, random) => {
    const { width, height } = image;
    const noise = normals(random, width * height);
    const flakes = snowflakes(noise, width, height, setting, -135 + 90 * random.uniform());
    return addSnow(image, flakes, setting.keep);
  },
});
