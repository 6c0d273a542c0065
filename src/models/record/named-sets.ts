import type { ModelRecord, PreprocessingSet } from '../../contracts/model-record.ts';

const imagenetMean = [0.485, 0.456, 0.406];
const imagenetStd = [0.229, 0.224, 0.225];
const toUnit = 1 / 255;

type Preset = Required<Pick<ModelRecord, 'resize' | 'crop' | 'scale' | 'mean' | 'std'>>;

/** What the network's input fixes; 0: left open. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Where a network takes another size than the set's usual one, the share of the picture that it sees stays the same. An
 * input that is not square takes the whole picture, stretched.
 */
function resizeThenCrop({ width, height }: Size, usual: number, cropShare: number, filter: 'bilinear' | 'bicubic') {
  if (width !== height && width && height) return { resize: { width, height, filter }, crop: null };
  const size = width || usual;
  return { resize: { shortSide: Math.floor(size / cropShare), filter }, crop: size };
}

/** The named sets of preprocessing, fitted to a network's input. */
export const namedSets: Record<PreprocessingSet, (size: Size) => Preset> = {
  imagenet: (size) => ({
    ...resizeThenCrop(size, 224, 0.875, 'bilinear'),
    scale: toUnit,
    mean: imagenetMean,
    std: imagenetStd,
  }),
  inception: (size) => ({
    ...resizeThenCrop(size, 299, 0.875, 'bicubic'),
    scale: toUnit,
    mean: [0.5, 0.5, 0.5],
    std: [0.5, 0.5, 0.5],
  }),
  clip: (size) => ({
    ...resizeThenCrop(size, 224, 1, 'bicubic'),
    scale: toUnit,
    mean: [0.48145466, 0.4578275, 0.40821073],
    std: [0.26862954, 0.26130258, 0.27577711],
  }),
  u2net: ({ width, height }) => ({
    resize: { width: width || 320, height: height || 320, filter: 'lanczos' },
    crop: null,
    scale: 'max',
    mean: imagenetMean,
    std: imagenetStd,
  }),
  raw: ({ width, height }) => ({
    resize: width && height ? { width, height, filter: 'bilinear' } : null,
    crop: null,
    scale: 1,
    mean: [0, 0, 0],
    std: [1, 1, 1],
  }),
};
