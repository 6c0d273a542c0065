import { join } from 'node:path';
import { fixedOf } from '../contracts/numbers.ts';
import { objectLost } from '../generate/quality/object-kept.ts';
import { nearDuplicates, perceptualHash } from '../generate/quality/perceptual-hash.ts';
import { brokenBecause, type CheckLimits, checkPicture, defaultLimits } from '../generate/quality/picture-checks.ts';
import { decodeImage } from '../image/decode.ts';
import type { PictureRecord } from './generate-pictures.ts';
import type { DroppedPicture } from './generated-folder.ts';
import { type MadeAroundObject, type MeasuredObject, measureObjects } from './object-kept.ts';
import { promptFit } from './prompt-fit.ts';

/** Pictures that show less of their prompt than `least` are dropped, by the CLIP score of a pair of encoders. */
export interface PromptLimit {
  readonly clip: string;
  readonly least: number;
  readonly threads: number;
}

/** Pictures made around an object are dropped where more than this share of its sure pixels changed. */
export interface ObjectLimit {
  readonly mostChanged?: number;
  sourceOf(picture: PictureRecord): ReturnType<MadeAroundObject['source']>;
}

interface DropLimits {
  readonly limits?: CheckLimits;
  readonly fit?: PromptLimit;
  readonly object?: ObjectLimit;
}

interface KeptPictures {
  readonly kept: PictureRecord[];
  readonly dropped: DroppedPicture[];
  /** Of pictures made around an object: how far it was kept. */
  readonly objects?: readonly MeasuredObject[];
}

/**
 * Broken pictures and near copies of earlier ones, each with its reason; the rest is kept, in its order. Pictures made
 * around objects may be alike, each belongs to its own photograph.
 */
export async function dropBroken(
  pictures: readonly PictureRecord[],
  out: string,
  { limits = defaultLimits, fit, object }: DropLimits = {},
): Promise<KeptPictures> {
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
  if (object) return dropLost(fine, out, { object, dropped });
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

async function dropLost(
  pictures: readonly PictureRecord[],
  out: string,
  { object, dropped }: { object: ObjectLimit; dropped: readonly DroppedPicture[] },
): Promise<KeptPictures> {
  const objects = await measureObjects(
    pictures.map((picture) => ({
      id: picture.id,
      file: join(out, picture.image),
      source: () => object.sourceOf(picture),
    })),
  );
  const lost = objects.flatMap((change) => {
    const reason = objectLost(change, object.mostChanged);
    return reason === undefined ? [] : [{ id: change.id, reason }];
  });
  const ids = new Set(lost.map(({ id }) => id));
  return { kept: pictures.filter(({ id }) => !ids.has(id)), dropped: [...dropped, ...lost], objects };
}
