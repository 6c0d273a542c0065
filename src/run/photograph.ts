import { SampleError } from '../contracts/errors.ts';
import type { BorderPolicy, Sample } from '../contracts/sample.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { refuseShape } from '../dataset/picture-shape.ts';
import { type DecodeMode, decodeImage } from '../image/decode.ts';
import { area, dilate, erode } from '../image/mask-ops.ts';
import type { Mask, Raster, Rgb } from '../image/raster.ts';
import { resize, resizeMask } from '../image/resize.ts';

export interface PhotographOptions {
  readonly mode: DecodeMode;
  readonly flatten: Rgb;
  readonly maxPixels: number;
  readonly border: BorderPolicy;
  /** How a pasted object ends where its mask is uncertain (a trimap's border, a soft mask): estimated unless `hard`. */
  readonly edges?: 'matte' | 'hard';
  /** Masks are grown, or with a negative number shrunk, by so many pixels: how much do their outlines matter? */
  readonly growMaskPx?: number;
  /** Protected pixels (the defects of a product) are edited like all others. */
  readonly editProtected?: boolean;
  /** Longer side at most, in pixels; larger photographs are reduced before anything else. */
  readonly longSidePx?: number;
}

export interface Photograph {
  readonly image: Raster;
  readonly mask?: Mask;
  /**
   * Why there is no mask though the sample names one: only scenarios that need the mask are lost, not the whole sample.
   */
  readonly maskError?: SampleError;
  /** Pixels that no edit may change; part of `mask` where there is one. */
  readonly protect?: Mask;
}

/** A sample's pixels and mask, decoded once; everything else is derived from them. */
export async function loadPhotograph(sample: Sample, options: PhotographOptions): Promise<Photograph> {
  const image = await decodeImage(sample.image, options);
  refuseShape(image, sample.image);
  const protect = options.editProtected ? undefined : await readProtected(sample, image, options);
  const { mask, maskError } = await readMask(sample, image, options, protect);
  const longSide = Math.max(image.width, image.height);
  if (!options.longSidePx || longSide <= options.longSidePx)
    return { image, mask, maskError, ...(protect && { protect }) };
  const scale = options.longSidePx / longSide;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  return {
    image: resize(image, width, height, 'lanczos'),
    mask: mask && resizeMask(mask, width, height),
    maskError,
    ...(protect && { protect: resizeMask(protect, width, height) }),
  };
}

async function readMask(
  sample: Sample,
  { width, height }: Raster,
  options: PhotographOptions,
  protect: Mask | undefined,
): Promise<Pick<Photograph, 'mask' | 'maskError'>> {
  if (!sample.mask) return {};
  try {
    const { mask } = await loadMask(sample.mask, { width, height, path: sample.image }, options);
    const grown = options.growMaskPx ? grow(mask, options.growMaskPx, sample) : withEdges(mask, options);
    return { mask: protect ? union(grown, protect) : grown };
  } catch (error) {
    if (error instanceof SampleError) return { maskError: error };
    throw error;
  }
}

/** Unlike a mask, it must be there: without it an edit could change what it should not. */
async function readProtected(
  { protect, image: path }: Sample,
  { width, height }: Raster,
  options: PhotographOptions,
): Promise<Mask | undefined> {
  if (!protect) return undefined;
  return (await loadMask(protect, { width, height, path }, { ...options, border: 'object' })).mask;
}

/** Protected pixels belong to the object, so an edit of the background leaves them alone and a moved object takes them along. */
function union(mask: Mask, protect: Mask): Mask {
  const join = (a: Uint8Array, b: Uint8Array) => a.map((value, i) => value | b[i]);
  const { soft, ignore } = mask;
  return {
    ...mask,
    data: join(mask.data, protect.data),
    ...(soft && { soft: join(soft, protect.data) }),
    ...(ignore && { ignore: ignore.map((value, i) => (protect.data[i] ? 0 : value)) }),
  };
}

/** A mask that is grown or shrunk has the edge that was asked for; others may have theirs estimated. */
const withEdges = (mask: Mask, { edges }: PhotographOptions): Mask =>
  edges !== 'hard' && (mask.ignore || mask.soft) ? { ...mask, edges: 'matte' } : mask;

function grow(mask: Mask, radius: number, sample: Sample): Mask {
  const grown = radius > 0 ? dilate(mask, { radius }) : erode(mask, { radius: -radius });
  if (area(grown) === 0)
    throw new SampleError('mask-empty', `nothing is left of the mask shrunk by ${-radius} px`, { file: sample.image });
  if (area(grown) === grown.data.length)
    throw new SampleError('mask-full', `the mask grown by ${radius} px covers the whole image`, { file: sample.image });
  return grown;
}
