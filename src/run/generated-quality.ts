import { join } from 'node:path';
import { nearDuplicates, perceptualHash } from '../generate/quality/perceptual-hash.ts';
import { brokenBecause, type CheckLimits, checkPicture, defaultLimits } from '../generate/quality/picture-checks.ts';
import { decodeImage } from '../image/decode.ts';
import type { PictureRecord } from './generate-pictures.ts';

export interface DroppedPicture {
  readonly id: string;
  readonly reason: string;
}

/** Broken pictures and near copies of earlier ones, each with its reason; the rest is kept, in its order. */
export async function dropBroken(
  pictures: readonly PictureRecord[],
  out: string,
  { limits = defaultLimits }: { limits?: CheckLimits } = {},
): Promise<{ kept: PictureRecord[]; dropped: DroppedPicture[] }> {
  const dropped: DroppedPicture[] = [];
  const fine: PictureRecord[] = [];
  const hashes: bigint[] = [];
  for (const picture of pictures) {
    const image = await decodeImage(join(out, picture.image)).catch((error: Error) => error);
    const reason = image instanceof Error ? `unreadable: ${image.message}` : brokenBecause(checkPicture(image), limits);
    if (reason !== undefined || image instanceof Error)
      dropped.push({ id: picture.id, reason: reason ?? 'unreadable' });
    else {
      fine.push(picture);
      hashes.push(perceptualHash(image));
    }
  }
  const first = nearDuplicates(hashes, { within: 4 });
  const kept = fine.filter((picture, i) => {
    if (first[i] < 0) return true;
    dropped.push({ id: picture.id, reason: `nearly the same as ${fine[first[i]].id}` });
    return false;
  });
  return { kept, dropped };
}
