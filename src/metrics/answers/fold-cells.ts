import { type AnswerColumns, tallyBy, wordAt } from './answer-columns.ts';

export interface FoldCell {
  readonly model: string;
  readonly scenario: string;
  readonly fold: number;
  readonly n: number;
  readonly accuracy: number;
}

/** Accuracy in each fold; none where the rows have no folds. */
export function foldCells(answers: AnswerColumns): FoldCell[] {
  const tallies = tallyBy(answers, (row) =>
    answers.fold[row] >= 0
      ? JSON.stringify([wordAt(answers.model, row), wordAt(answers.scenario, row), answers.fold[row]])
      : undefined,
  );
  return [...tallies].map(([key, { n, right }]) => {
    const [model, scenario, fold] = JSON.parse(key) as [string, string, number];
    return { model, scenario, fold, n, accuracy: right / n };
  });
}
