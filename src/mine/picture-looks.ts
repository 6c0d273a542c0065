import { UserError } from '../contracts/errors.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { checkPicture } from '../generate/quality/picture-checks.ts';
import { decodeImage } from '../image/decode.ts';
import { area } from '../image/mask-ops.ts';
import { pictureFiles } from './hard-pictures.ts';

/** What can be measured in a picture itself, without any model: each a number for every picture, or left out. */
export type PictureLooks = Readonly<Record<string, readonly number[]>>;

/**
 * Brightness, contrast, sharpness and, with masks, the object's share. Empty where the pictures were edited during the
 * run and so are no files.
 */
export async function pictureLooks(
  items: readonly { readonly scenario: string; readonly sample: string }[],
  run: string,
): Promise<PictureLooks> {
  const samples = await pictureFiles(items, run).catch((error) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (!samples) return {};
  const looks: Record<'brightness' | 'contrast' | 'sharpness (log)' | "object's share", number[]> = {
    brightness: [],
    contrast: [],
    'sharpness (log)': [],
    "object's share": [],
  };
  for (const { image: path, mask } of samples) {
    // A picture that went away since costs the looks their part in the model, not the mining.
    const image = await decodeImage(path).catch(() => undefined);
    if (!image) return {};
    const { brightness, contrast, sharpness } = checkPicture(image);
    looks.brightness.push(brightness);
    looks.contrast.push(contrast);
    looks['sharpness (log)'].push(Math.log1p(sharpness));
    const drawn = mask && (await loadMask(mask, { ...image, path }).catch(() => undefined));
    if (drawn) looks["object's share"].push(area(drawn.mask) / drawn.mask.data.length);
  }
  return Object.fromEntries(Object.entries(looks).filter(([, values]) => values.length === items.length));
}
