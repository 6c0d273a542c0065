import type { ScoredRun } from '../../metrics/score-run.ts';

/** What one model said of one variant. */
export interface StoredAnswer {
  readonly model: string;
  readonly scenario: string;
  readonly sample: string;
  readonly prediction: string;
  readonly correct: boolean;
}

/** Every answer stored in a run. */
export function answersOf({ table }: ScoredRun): StoredAnswer[] {
  if (!table) return [];
  const words = (name: string) => {
    const { codes, levels } = table.text(name);
    return (row: number) => levels[codes[row]];
  };
  const [model, scenario, sample, prediction] = ['model', 'scenario', 'sample', 'prediction'].map(words);
  const correct = table.numbers('correct');
  return Array.from({ length: table.rowCount }, (_, row) => ({
    model: model(row),
    scenario: scenario(row),
    sample: sample(row),
    prediction: prediction(row),
    correct: correct[row] === 1,
  }));
}
