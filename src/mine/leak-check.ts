import { differingBits, perceptualHash } from '../generate/quality/perceptual-hash.ts';
import { decodeImage } from '../image/decode.ts';

export interface Neighbour {
  readonly picture: string;
  readonly nearest: string;
  /** Of 64. */
  readonly differingBits: number;
}

/** Up to this many of 64 bits two pictures are taken for copies of one another. */
export const copyBits = 6;

/**
 * For each picture of a set its nearest one in a training folder, by perceptual hash: a copy, whatever its size and
 * compression, differs by a few bits; strangers by about thirty-two. Unreadable files are passed over.
 */
export async function nearestInTraining(
  pictures: readonly string[],
  training: readonly string[],
  { onProgress }: { onProgress?: (done: number, total: number) => void } = {},
): Promise<Neighbour[]> {
  let done = 0;
  const hashOf = async (path: string) => {
    const hash = await decodeImage(path).then(perceptualHash, () => undefined);
    onProgress?.(++done, pictures.length + training.length);
    return hash;
  };
  const known: { path: string; hash: bigint }[] = [];
  for (const path of training) {
    const hash = await hashOf(path);
    if (hash !== undefined) known.push({ path, hash });
  }
  const found: Neighbour[] = [];
  for (const picture of pictures) {
    const hash = await hashOf(picture);
    if (hash === undefined || !known.length) continue;
    let best = { path: '', bits: 65 };
    for (const { path, hash: other } of known) {
      const bits = differingBits(hash, other);
      if (bits < best.bits) best = { path, bits };
    }
    found.push({ picture, nearest: best.path, differingBits: best.bits });
  }
  return found.sort((a, b) => a.differingBits - b.differingBits);
}
