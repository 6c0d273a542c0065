import { join } from 'node:path';
import { fixedOf } from '../contracts/numbers.ts';
import { nearDuplicates, perceptualHash } from '../generate/quality/perceptual-hash.ts';
import { brokenBecause, type CheckLimits, checkPicture, defaultLimits } from '../generate/quality/picture-checks.ts';
import { decodeImage } from '../image/decode.ts';
import type { PictureRecord } from './generate-pictures.ts';
import { promptFit } from './prompt-fit.ts';

export interface DroppedPicture {
  readonly id: string;
  readonly reason: string;
}

/** Pictures that show less of their prompt than `least` are dropped, by the CLIP score of a pair of encoders. */
export interface PromptLimit {
  readonly clip: string;
  readonly least: number;
  readonly threads: number;
}

/** Broken pictures and near copies of earlier ones, each with its reason; the rest is kept, in its order. */
export async function dropBroken(
  pictures: readonly PictureRecord[],
  out: string,
  { limits = defaultLimits, fit }: { limits?: CheckLimits; fit?: PromptLimit } = {},
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
  const distinct = fine.filter((picture, i) => {
    if (first[i] < 0) return true;
    dropped.push({ id: picture.id, reason: `nearly the same as ${fine[first[i]].id}` });
    return false;
  });
  if (!fit) return { kept: distinct, dropped };
  const asked = distinct.map(({ image, prompt }) => ({ file: join(out, image), prompt }));
  const scores = await promptFit(asked, fit.clip, { threads: fit.threads });
  const kept = distinct.filter(({ id }, i) => {
    if (scores[i] >= fit.least) return true;
    dropped.push({ id, reason: `not what was asked for (CLIP score ${fixedOf(scores[i], 3)}, at least ${fit.least})` });
    return false;
  });
  return { kept, dropped };
}
