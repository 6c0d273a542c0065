import type { Sample } from '../contracts/sample.ts';
import { inspectImage } from '../image/decode.ts';
import { decodeDifferences } from '../image/format.ts';

export interface DecodeDifferences {
  /** Images that `decode: pillow` and `decode: corrected` read differently. */
  readonly images: number;
  /** Why, and how many each. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** How many images come out differently in the two modes of decoding; told from their heads, without decoding them. */
export async function countDecodeDifferences(samples: readonly Sample[]): Promise<DecodeDifferences> {
  const reasons: Record<string, number> = {};
  let images = 0;
  const queue = new Set(samples.map(({ image }) => image)).values();
  const drain = async () => {
    for (const path of queue) {
      const found = await inspectImage(path).then(decodeDifferences, () => []);
      if (found.length) images++;
      for (const reason of found) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, drain));
  return { images, reasons };
}
