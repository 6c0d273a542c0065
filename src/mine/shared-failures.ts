import type { PicturePool } from './pool.ts';

/** How many of the pool's models are wrong on each picture. */
export function failureCounts({ items, wrong }: PicturePool): Uint16Array {
  const counts = new Uint16Array(items.length);
  for (const ofModel of wrong) for (let i = 0; i < counts.length; i++) counts[i] += ofModel[i];
  return counts;
}

/** 1 where at least `atLeast` of the pool's models are wrong; without it, where all are. */
export function sharedFailures(pool: PicturePool, atLeast = pool.models.length): Uint8Array {
  return Uint8Array.from(failureCounts(pool), (count) => (count >= atLeast ? 1 : 0));
}
