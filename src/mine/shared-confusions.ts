import type { PicturePool } from './pool.ts';

/** A wrong answer that several pictures of the hard set share. */
export interface SharedConfusion {
  readonly label: string;
  readonly prediction: string;
  readonly pictures: number;
  /** Models that gave it at least once. */
  readonly models: number;
  /** Of all wrong answers to that label in the hard set. */
  readonly share: number;
}

/** What the wrong answers have in common, the most frequent first. */
export function sharedConfusions(
  { items, models, wrong }: PicturePool,
  hard: Uint8Array,
  predictions: ReadonlyMap<string, readonly string[]>,
  { most = 30 }: { most?: number } = {},
): SharedConfusion[] {
  const found = new Map<string, { pictures: Set<number>; models: Set<string>; answers: number }>();
  const wrongAnswers = new Map<string, number>();
  for (const [m, model] of models.entries()) {
    const answers = predictions.get(model);
    for (let i = 0; i < items.length; i++) {
      if (!hard[i] || !wrong[m][i] || !answers) continue;
      const { label } = items[i];
      const key = `${label}\u0000${answers[i]}`;
      const entry = found.get(key) ?? { pictures: new Set(), models: new Set(), answers: 0 };
      entry.pictures.add(i);
      entry.models.add(model);
      entry.answers++;
      found.set(key, entry);
      wrongAnswers.set(label, (wrongAnswers.get(label) ?? 0) + 1);
    }
  }
  return [...found]
    .map(([key, entry]) => {
      const [label, prediction] = key.split('\u0000');
      return {
        label,
        prediction,
        pictures: entry.pictures.size,
        models: entry.models.size,
        share: entry.answers / (wrongAnswers.get(label) as number),
      };
    })
    .sort((a, b) => b.pictures - a.pictures || b.share - a.share || (a.label < b.label ? -1 : 1))
    .slice(0, most);
}
