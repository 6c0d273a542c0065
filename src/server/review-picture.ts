import { readFile, realpath } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { decodeImage } from '../image/decode.ts';
import { encodeImage } from '../image/encode.ts';
import type { Review } from '../review/review.ts';
import { notFound, refused } from './errors.ts';
import { isBelow } from './workspace.ts';

/** Shown by every browser as they are; others are decoded here. */
const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/** A picture of the review, from below its folder alone once links are followed. */
export async function readReviewPicture(
  { folder, queue }: Review,
  id: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const item = queue.items.find((candidate) => candidate.id === id);
  if (!item) throw notFound(`There is no picture '${id}' in this review`);
  const file = await realpath(join(folder, item.image)).catch(() => undefined);
  if (file === undefined) throw notFound(`The picture '${id}' is not in the review's folder; export the review again`);
  if (!isBelow(folder, file)) throw refused(`${basename(item.image)} lies outside the review's folder`);
  const type = types[extname(file).toLowerCase()];
  if (type) return { bytes: new Uint8Array(await readFile(file)), type };
  const png = await encodeImage(await decodeImage(file), { format: 'png' });
  return { bytes: new Uint8Array(png), type: 'image/png' };
}
