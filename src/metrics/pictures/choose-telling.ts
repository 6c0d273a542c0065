import type { Telling, TellingReason } from '../../contracts/pictures.ts';

/** What the models did with one sample, over all models and scenarios but `original`. */
export interface SampleTally {
  readonly sample: string;
  readonly label: string;
  readonly answers: number;
  readonly wrong: number;
  /** Of the answers to the unedited image, those that were right; null: it was not asked. */
  readonly originalRight: number | null;
  /** Edits that turned a right answer into a wrong one. */
  readonly lostByEdit: number;
}

/**
 * The samples worth showing: mostly those that edits break most often, then some that nothing breaks and some that are
 * lost from the start; each class once before any class twice. Ties go by name, so any order of rows gives the same.
 */
export function chooseTelling(tallies: readonly SampleTally[], { most = 12 } = {}): Telling[] {
  const chosen = new Map<string, Telling>();
  const classesShown = new Map<string, number>();
  const take = (count: number, why: TellingReason, candidates: readonly SampleTally[]) => {
    let left = Math.min(count, most - chosen.size);
    for (let round = 0; left > 0 && round < most && candidates.length > 0; round++) {
      for (const { sample, label } of candidates) {
        if (left === 0) return;
        if (chosen.has(sample) || (classesShown.get(label) ?? 0) > round) continue;
        chosen.set(sample, { sample, label, why });
        classesShown.set(label, (classesShown.get(label) ?? 0) + 1);
        left--;
      }
    }
  };
  const byName = (a: SampleTally, b: SampleTally) => (a.sample < b.sample ? -1 : a.sample > b.sample ? 1 : 0);
  const fragile = tallies
    .filter(({ lostByEdit }) => lostByEdit > 0)
    .sort((a, b) => b.lostByEdit - a.lostByEdit || byName(a, b));
  // A sample that some scenarios could not use has fewer answers, and a strip with gaps.
  const fullest = (a: SampleTally, b: SampleTally) => b.answers - a.answers || byName(a, b);
  const steady = tallies.filter(({ wrong, originalRight }) => wrong === 0 && originalRight !== 0).sort(fullest);
  const lost = tallies.filter(({ wrong, answers, originalRight }) => wrong === answers && !originalRight).sort(fullest);
  const some = Math.max(1, Math.round(most / 6));
  take(most - 2 * some, 'fragile', fragile);
  take(some, 'steady', steady);
  take(some, 'lost', lost);
  take(most, 'fragile', fragile);
  take(
    most,
    'typical',
    [...tallies].sort((a, b) => b.wrong - a.wrong || byName(a, b)),
  );
  return [...chosen.values()];
}
