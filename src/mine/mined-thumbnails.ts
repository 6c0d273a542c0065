import type { MiningRecord } from '../contracts/mining.ts';
import { decodeImage } from '../image/decode.ts';
import { encodeImage } from '../image/encode.ts';
import { resize } from '../image/resize.ts';
import { writeAtomic } from '../run/atomic.ts';
import { knownPictureFiles } from './hard-pictures.ts';

type Chosen = MiningRecord['chosen'][number];

const most = 24;
const longSidePx = 160;

/**
 * Some of the chosen pictures, small, in `mining/` of the run folder, for the report: of every nuisance and class one
 * before of any two. Pictures that a scenario made on the way are no files, and there are none of them.
 */
export async function writeThumbnails(
  { chosen }: Pick<MiningRecord, 'chosen'>,
  run: string,
): Promise<MiningRecord['thumbnails']> {
  const ordered = spread(chosen);
  const { samples } = await knownPictureFiles(ordered, run);
  const written: MiningRecord['thumbnails'] = [];
  for (const [i, picture] of ordered.entries()) {
    if (written.length === most) break;
    const path = samples[i]?.image;
    // One that went away since is passed over.
    const image = path && (await decodeImage(path).catch(() => undefined));
    if (!image) continue;
    const scale = Math.min(1, longSidePx / Math.max(image.width, image.height));
    const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
    const file = `mining/${written.length + 1}.webp`;
    const small = resize(image, width, height, 'lanczos');
    await writeAtomic(run, file, await encodeImage(small, { format: 'webp', quality: 80 }));
    written.push({ scenario: picture.scenario, sample: picture.sample, file, width, height });
  }
  return written;
}

/** First the first of every nuisance and class, then the second of each, and so on. */
export function spread(chosen: readonly Chosen[]): Chosen[] {
  const seen = new Map<string, number>();
  const turns = chosen.map((picture) => {
    const key = `${picture.nuisance}\u0000${picture.label}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    return { picture, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ picture }) => picture);
}
