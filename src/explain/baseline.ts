import type { Preprocessing } from '../contracts/model-record.ts';
import type { BaselineKind } from '../contracts/saliency.ts';
import { gaussianBlur } from '../image/blur.ts';
import { fillWith } from '../image/crop.ts';
import { createRaster, type Raster, type Rgb } from '../image/raster.ts';

/** The side for which Petsiuk et al. (2018) blur with a kernel of 11 and σ = 5; other sizes in proportion. */
const blurSidePx = 224;

/** The picture that shows where pixels are removed. */
export function baselinePicture(picture: Raster, kind: BaselineKind, preprocessing: Preprocessing | undefined): Raster {
  if (kind === 'blur') return blurred(picture);
  const out = createRaster(picture.width, picture.height);
  fillWith(out.data, kind === 'grey' ? [128, 128, 128] : (zeroColour(preprocessing) ?? meanColour(picture)));
  return out;
}

export function blurred(picture: Raster): Raster {
  const scale = Math.min(picture.width, picture.height) / blurSidePx;
  const radius = Math.max(1, Math.round(5 * scale));
  return gaussianBlur(picture, { kernel: 2 * radius + 1, sigma: 5 * scale });
}

/** The colour that normalising makes zero; undefined where nothing is subtracted. */
export function zeroColour(preprocessing: Preprocessing | undefined): Rgb | undefined {
  if (!preprocessing || preprocessing.type === 'uint8' || preprocessing.mean.every((value) => value === 0))
    return undefined;
  const { mean, scale, channels } = preprocessing;
  const levels = [0, 1, 2].map((colour) => {
    const channel = channels === 'BGR' ? 2 - colour : channels === 'L' ? 0 : colour;
    const level = mean[channel] / (scale === 'max' ? 1 / 255 : scale);
    return Math.min(255, Math.max(0, Math.round(level)));
  });
  return [levels[0], levels[1], levels[2]];
}

function meanColour({ data }: Raster): Rgb {
  const sum = [0, 0, 0];
  for (let i = 0; i < data.length; i++) sum[i % 3] += data[i];
  const [red, green, blue] = sum.map((total) => Math.round((3 * total) / data.length));
  return [red, green, blue];
}

/** `keep` of the picture and the rest of the baseline, per pixel; 1 keeps it as it is. */
export function blend({ width, height, data }: Raster, baseline: Raster, keep: ArrayLike<number>): Raster {
  const out = createRaster(width, height);
  for (let i = 0, at = 0; i < keep.length; i++) {
    const share = keep[i];
    for (const end = at + 3; at < end; at++)
      out.data[at] = Math.round(baseline.data[at] + (data[at] - baseline.data[at]) * share);
  }
  return out;
}
