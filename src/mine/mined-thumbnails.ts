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
 * Some of the chosen pictures, small, in `mining/` of the run folder, for the report: nuisances by turns, of each a
 * class that was not shown yet. Pictures that a scenario made during the run were never files, so they are left out.
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

/** Nuisances by turns; each turn takes the first picture of the class that was shown least. */
function spread(chosen: readonly Chosen[]): Chosen[] {
  const left = new Map<string, Chosen[]>();
  for (const picture of chosen) left.set(picture.nuisance, [...(left.get(picture.nuisance) ?? []), picture]);
  const shown = new Map<string, number>();
  const times = ({ label }: Chosen) => shown.get(label) ?? 0;
  const ordered: Chosen[] = [];
  while (ordered.length < Math.min(chosen.length, 4 * most))
    for (const pictures of left.values()) {
      if (!pictures.length) continue;
      const picture = pictures.reduce((least, one) => (times(one) < times(least) ? one : least));
      pictures.splice(pictures.indexOf(picture), 1);
      shown.set(picture.label, times(picture) + 1);
      ordered.push(picture);
    }
  return ordered;
}
