import { originalScenario } from '../table/cells.ts';
import { type AnswerColumns, wordAt } from './answer-columns.ts';

export interface LostSample {
  readonly sample: string;
  readonly label: string;
  /** Scenarios in which every model is wrong, and scenarios asked. */
  readonly lost: number;
  readonly scenarios: number;
  /** Some model is right on the unedited image; null: it was not asked. */
  readonly originalRight: boolean | null;
  /** What is seen most often instead. */
  readonly seenAs: string;
}

/** Samples that every model loses, those lost in most scenarios first. */
export function lostSamples(
  answers: AnswerColumns,
  { counts = () => true }: { counts?: (scenario: string) => boolean } = {},
): LostSample[] {
  interface Found {
    label: string;
    rightIn: Map<string, boolean>;
    seen: Map<string, number>;
  }
  const samples = new Map<string, Found>();
  for (const row of answers.rows) {
    if (!counts(wordAt(answers.scenario, row))) continue;
    const sample = wordAt(answers.sample, row);
    const found = samples.get(sample) ?? { label: wordAt(answers.label, row), rightIn: new Map(), seen: new Map() };
    samples.set(sample, found);
    const [scenario, right] = [wordAt(answers.scenario, row), answers.correct[row] === 1];
    found.rightIn.set(scenario, (found.rightIn.get(scenario) ?? false) || right);
    if (right) continue;
    const prediction = wordAt(answers.prediction, row);
    found.seen.set(prediction, (found.seen.get(prediction) ?? 0) + 1);
  }
  return [...samples]
    .map(([sample, { label, rightIn, seen }]) => ({
      sample,
      label,
      lost: [...rightIn.values()].filter((right) => !right).length,
      scenarios: rightIn.size,
      originalRight: rightIn.get(originalScenario) ?? null,
      seenAs: [...seen].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '',
    }))
    .filter(({ lost }) => lost > 0)
    .sort((a, b) => b.lost / b.scenarios - a.lost / a.scenarios || (a.sample < b.sample ? -1 : 1));
}
