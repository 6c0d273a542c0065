import { createHash } from 'node:crypto';
import { SampleError } from '../../contracts/errors.ts';
import type { BorderPolicy, MaskEncoding, Sample } from '../../contracts/sample.ts';
import { withFileInHand } from '../../formats/in-hand.ts';
import { readRegularFile } from '../../formats/regular-file.ts';
import { type DecodeDifference, decodeDetailed } from '../../image/decode.ts';
import { areaShare } from '../../image/mask-ops.ts';
import { loadMask } from '../masks/load.ts';
import { refuseShape } from '../picture-shape.ts';
import { type MaskDoubt, maskDoubts } from './mask-doubts.ts';

interface MaskFacts {
  readonly sample: Sample;
  readonly share?: number;
  readonly encoding?: MaskEncoding;
  readonly notes: readonly { readonly kind: string; readonly message: string }[];
  readonly error?: SampleError;
  readonly doubts: readonly MaskDoubt[];
}

export interface ImageReport {
  readonly file: string;
  readonly samples: readonly Sample[];
  readonly error?: SampleError;
  readonly format?: string;
  /** As decoded. */
  readonly width?: number;
  readonly height?: number;
  /** The EXIF orientation leaves the sides as they are, so that a mask's size does not tell which picture it was drawn for. */
  readonly turnedSameSize?: boolean;
  readonly differences: readonly DecodeDifference[];
  readonly byteHash?: string;
  readonly pixelHash?: string;
  readonly masks: readonly MaskFacts[];
}

/** Everything about one image file and the masks of its samples; reads each file once and keeps none of the pixels. */
export async function checkImage(
  file: string,
  samples: readonly Sample[],
  { border, maxPixels }: { border: BorderPolicy; maxPixels: number },
): Promise<ImageReport> {
  const base = { file, samples, differences: [], masks: [] };
  try {
    const bytes = await readRegularFile(file);
    const byteHash = createHash('sha256').update(bytes).digest('base64');
    const { image, facts, differences } = await withFileInHand(file, () => decodeDetailed(bytes, { maxPixels }));
    const { width, height } = image;
    refuseShape(image, file);
    const pixelHash = createHash('sha256').update(`${width}×${height}`).update(image.data).digest('base64');
    const masks: MaskFacts[] = [];
    for (const sample of samples)
      if (sample.mask) masks.push(await checkMask(sample, { width, height, path: file }, border));
    const turnedSameSize = differences.includes('orientation') && (facts.orientation < 5 || width === height);
    const { format } = facts;
    return { ...base, format, width, height, turnedSameSize, differences, byteHash, pixelHash, masks };
  } catch (error) {
    if (!(error instanceof SampleError)) throw error;
    return { ...base, error };
  }
}

async function checkMask(
  sample: Sample,
  image: { width: number; height: number; path: string },
  border: BorderPolicy,
): Promise<MaskFacts> {
  try {
    const { mask, encoding, notes } = await loadMask(sample.mask as NonNullable<Sample['mask']>, image, { border });
    return { sample, share: areaShare(mask), encoding, notes, doubts: maskDoubts(mask) };
  } catch (error) {
    if (!(error instanceof SampleError)) throw error;
    return { sample, notes: [], error, doubts: [] };
  }
}
