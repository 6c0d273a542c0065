import { fixedOf } from '../../contracts/numbers.ts';
import { greyLevels } from '../../image/colour.ts';
import type { Raster } from '../../image/raster.ts';

export interface PictureChecks {
  /** Variance of the Laplacian of the grey levels: low is blurred or empty. */
  readonly sharpness: number;
  /** Standard deviation of the grey levels: near nought is one flat colour. */
  readonly contrast: number;
  readonly brightness: number;
}

export function checkPicture(image: Raster): PictureChecks {
  const { width, height } = image;
  const grey = greyLevels(image);
  let [sum, squares, sumL, squaresL, inner] = [0, 0, 0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      sum += grey[i];
      squares += grey[i] * grey[i];
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
      const laplacian = grey[i - 1] + grey[i + 1] + grey[i - width] + grey[i + width] - 4 * grey[i];
      sumL += laplacian;
      squaresL += laplacian * laplacian;
      inner++;
    }
  const n = width * height;
  const variance = (total: number, square: number, count: number) =>
    count ? Math.max(0, square / count - (total / count) ** 2) : 0;
  return {
    sharpness: variance(sumL, squaresL, inner),
    contrast: Math.sqrt(variance(sum, squares, n)),
    brightness: sum / n / 255,
  };
}

export interface CheckLimits {
  readonly sharpness: number;
  readonly contrast: number;
}

/** Below these a picture is broken rather than plain: a real photograph of fog or sky lies above them. */
export const defaultLimits: CheckLimits = { sharpness: 4, contrast: 4 };

/** Why a picture is left out; nothing where it is fine. */
export function brokenBecause(
  { sharpness, contrast }: PictureChecks,
  limits: CheckLimits = defaultLimits,
): string | undefined {
  if (contrast < limits.contrast)
    return `one flat colour (contrast ${fixedOf(contrast, 1)}, at least ${limits.contrast})`;
  if (sharpness < limits.sharpness) return `blurred (sharpness ${fixedOf(sharpness, 1)}, at least ${limits.sharpness})`;
  return undefined;
}
