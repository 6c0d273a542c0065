import { z } from 'zod';
import { applyTables } from '../image/colour.ts';
import { defineScenario, region } from './define.ts';
import { gainTable } from './exposure.ts';
import { regionOf } from './region.ts';

export const whiteBalance = defineScenario({
  id: 'white-balance',
  family: 'industrial',
  part: 'shift',
  title: 'White balance',
  description:
    'The picture under light of another colour temperature while the camera stays set for 6500 K: per-channel gains in linear light from the Planckian locus (Kim et al. 2002).',
  object: 'changed',
  needs: [],
  params: {
    kelvin: z
      .number()
      .min(2000)
      .max(20000)
      .describe('colour temperature of the light; below 6500 is warmer')
      .default(4000),
    region: region().default('image'),
  },
  apply: (scene, params) => {
    const [red, green, blue] = whiteBalanceGains(params.kelvin).map(gainTable);
    return applyTables(scene.image, regionOf(scene, params.region), [red, green, blue]);
  },
});

const neutralKelvin = 6500;

/** Gains of linear red, green and blue: the light's colour over the light the camera is set for, at equal luminance. */
export function whiteBalanceGains(kelvin: number): number[] {
  const light = planckianRgb(kelvin);
  const neutral = planckianRgb(neutralKelvin);
  return light.map((value, channel) => Math.max(0, value) / neutral[channel]);
}

/** Linear sRGB of the black body at luminance 1. */
function planckianRgb(kelvin: number): number[] {
  const [x, y] = planckianLocus(kelvin);
  const bigX = x / y;
  const bigZ = (1 - x - y) / y;
  return [
    3.2404542 * bigX - 1.5371385 - 0.4985314 * bigZ,
    -0.969266 * bigX + 1.8760108 + 0.041556 * bigZ,
    0.0556434 * bigX - 0.2040259 + 1.0572252 * bigZ,
  ];
}

/** CIE 1931 chromaticity of the black body, 1667–25,000 K: the cubic splines of Kim et al. (2002), US patent 7,024,034. */
export function planckianLocus(kelvin: number): [x: number, y: number] {
  const t = 1000 / kelvin;
  const x =
    kelvin <= 4000
      ? -0.2661239 * t ** 3 - 0.2343589 * t ** 2 + 0.8776956 * t + 0.17991
      : -3.0258469 * t ** 3 + 2.1070379 * t ** 2 + 0.2226347 * t + 0.24039;
  const y =
    kelvin <= 2222
      ? -1.1063814 * x ** 3 - 1.3481102 * x ** 2 + 2.18555832 * x - 0.20219683
      : kelvin <= 4000
        ? -0.9549476 * x ** 3 - 1.37418593 * x ** 2 + 2.09137015 * x - 0.16748867
        : 3.081758 * x ** 3 - 5.8733867 * x ** 2 + 3.75112997 * x - 0.37001483;
  return [x, y];
}
