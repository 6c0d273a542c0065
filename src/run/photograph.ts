import { SampleError } from '../contracts/errors.ts';
import type { BorderPolicy, Sample } from '../contracts/sample.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { type DecodeMode, decodeImage } from '../image/decode.ts';
import { area, dilate, erode } from '../image/mask-ops.ts';
import type { Mask, Raster, Rgb } from '../image/raster.ts';
import { resize, resizeMask } from '../image/resize.ts';

export interface PhotographOptions {
  readonly mode: DecodeMode;
  readonly flatten: Rgb;
  readonly maxPixels: number;
  readonly border: BorderPolicy;
  /** Masks are grown, or with a negative number shrunk, by so many pixels: how much do their outlines matter? */
  readonly growMaskPx?: number;
  /** Longer side at most, in pixels; larger photographs are reduced before anything else. */
  readonly longSidePx?: number;
}

export interface Photograph {
  readonly image: Raster;
  readonly mask?: Mask;
  /** Why there is no mask though the sample names one: costs what needs the mask, not the whole sample. */
  readonly maskError?: SampleError;
}

/** A sample's pixels and mask, decoded once; everything else is derived from them. */
export async function loadPhotograph(sample: Sample, options: PhotographOptions): Promise<Photograph> {
  const image = await decodeImage(sample.image, options);
  const { mask, maskError } = await readMask(sample, image, options);
  const longSide = Math.max(image.width, image.height);
  if (!options.longSidePx || longSide <= options.longSidePx) return { image, mask, maskError };
  const scale = options.longSidePx / longSide;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  return { image: resize(image, width, height, 'lanczos'), mask: mask && resizeMask(mask, width, height), maskError };
}

async function readMask(
  sample: Sample,
  { width, height }: Raster,
  options: PhotographOptions,
): Promise<Pick<Photograph, 'mask' | 'maskError'>> {
  if (!sample.mask) return {};
  try {
    const { mask } = await loadMask(sample.mask, { width, height, path: sample.image }, options);
    return { mask: options.growMaskPx ? grow(mask, options.growMaskPx, sample) : mask };
  } catch (error) {
    if (error instanceof SampleError) return { maskError: error };
    throw error;
  }
}

function grow(mask: Mask, radius: number, sample: Sample): Mask {
  const grown = radius > 0 ? dilate(mask, { radius }) : erode(mask, { radius: -radius });
  if (area(grown) === 0)
    throw new SampleError('mask-empty', `nothing is left of the mask shrunk by ${-radius} px`, { file: sample.image });
  if (area(grown) === grown.data.length)
    throw new SampleError('mask-full', `the mask grown by ${radius} px covers the whole image`, { file: sample.image });
  return grown;
}
