import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MiningRecord } from '../../contracts/mining.ts';

export type MinedPicture = MiningRecord['chosen'][number] & {
  /** An address that holds the picture itself. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
};

/** The small pictures that `mine` left in the run folder; those that are gone are left out. */
export async function loadMinedPictures(run: string, mining: MiningRecord | null): Promise<MinedPicture[]> {
  const keyOf = ({ scenario, sample }: { scenario: string; sample: string }) => JSON.stringify([scenario, sample]);
  const chosen = new Map(mining?.chosen.map((picture) => [keyOf(picture), picture]));
  const loaded = (mining?.thumbnails ?? []).map(async (thumbnail) => {
    const picture = chosen.get(keyOf(thumbnail));
    const bytes = picture && (await readFile(join(run, thumbnail.file)).catch(() => undefined));
    if (!picture || !bytes) return [];
    const { width, height } = thumbnail;
    return [{ ...picture, width, height, src: `data:image/webp;base64,${bytes.toString('base64')}` }];
  });
  return (await Promise.all(loaded)).flat();
}
