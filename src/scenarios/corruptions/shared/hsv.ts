import { createRaster, type Raster } from '../../../image/raster.ts';
import { levelAsShare, toLevel } from './levels.ts';

/**
 * A change of saturation or value in floating-point HSV, in scikit-image's order of operations, so that the truncated
 * levels are the same. (Not the 8-bit HSV of OpenCV, which the XIMAGENET-12 scenarios use.)
 */
export function editHsv(
  image: Raster,
  { saturation = (s) => s, value = (v) => v }: { saturation?(s: number): number; value?(v: number): number },
): Raster {
  const { data } = image;
  const out = createRaster(image.width, image.height);
  for (let i = 0; i < data.length; i += 3) {
    const red = levelAsShare[data[i]];
    const green = levelAsShare[data[i + 1]];
    const blue = levelAsShare[data[i + 2]];
    const high = Math.max(red, green, blue);
    const range = high - Math.min(red, green, blue);
    const s = saturation(range === 0 ? 0 : range / high);
    const v = value(high);
    const sector = range === 0 ? 0 : hue(red, green, blue, high, range) * 6;
    const whole = Math.floor(sector);
    const fraction = sector - whole;
    const p = v * (1 - s);
    const q = v * (1 - fraction * s);
    const t = v * (1 - (1 - fraction) * s);
    const face = whole % 6;
    out.data[i] = toLevel(face === 0 || face === 5 ? v : face === 1 ? q : face === 4 ? t : p);
    out.data[i + 1] = toLevel(face === 1 || face === 2 ? v : face === 0 ? t : face === 3 ? q : p);
    out.data[i + 2] = toLevel(face === 3 || face === 4 ? v : face === 2 ? t : face === 5 ? q : p);
  }
  return out;
}

/** 0…1; where two channels are highest, blue goes before green and green before red. */
function hue(red: number, green: number, blue: number, high: number, range: number): number {
  const sextant =
    blue === high ? 4 + (red - green) / range : green === high ? 2 + (blue - red) / range : (green - blue) / range;
  const turn = sextant / 6;
  return turn - Math.floor(turn);
}

export const clip = (value: number) => Math.min(Math.max(value, 0), 1);
