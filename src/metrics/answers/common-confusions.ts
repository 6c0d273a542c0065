import { type AnswerColumns, wordAt } from './answer-columns.ts';

export interface Confusion {
  readonly scenario: string;
  readonly label: string;
  readonly prediction: string;
  /** Wrong answers of this kind, all models together. */
  readonly count: number;
  /** Of all answers to images of that label under the scenario. */
  readonly share: number;
}

/** The most common mistakes of each scenario: what was there, and what was seen instead. */
export function commonConfusions(answers: AnswerColumns, { perScenario = 3 } = {}): Confusion[] {
  const counts = new Map<string, { scenario: string; label: string; prediction: string; count: number }>();
  const totals = new Map<string, number>();
  for (const row of answers.rows) {
    const [scenario, label] = [wordAt(answers.scenario, row), wordAt(answers.label, row)];
    const place = JSON.stringify([scenario, label]);
    totals.set(place, (totals.get(place) ?? 0) + 1);
    if (answers.correct[row]) continue;
    const prediction = wordAt(answers.prediction, row);
    const key = JSON.stringify([scenario, label, prediction]);
    const found = counts.get(key) ?? { scenario, label, prediction, count: 0 };
    found.count++;
    counts.set(key, found);
  }
  const all = [...counts.values()].map((found) => ({
    ...found,
    share: found.count / (totals.get(JSON.stringify([found.scenario, found.label])) as number),
  }));
  const scenarios = [...new Set([...answers.rows].map((row) => wordAt(answers.scenario, row)))];
  return scenarios.flatMap((scenario) =>
    all
      .filter((confusion) => confusion.scenario === scenario)
      .sort((a, b) => b.count - a.count || (a.label + a.prediction < b.label + b.prediction ? -1 : 1))
      .slice(0, perScenario),
  );
}
