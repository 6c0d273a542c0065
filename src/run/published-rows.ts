import type { PublishedRow } from '../contracts/published.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Answer } from '../models/define.ts';

interface PublishedContext {
  readonly model: string;
  readonly scenario: string;
  readonly sample: Sample;
  readonly fold: number;
  readonly targets: readonly number[];
}

/** What `score --as-published` needs beside the prediction row; undefined where the published count is the same. */
export function toPublishedRow(
  answer: Answer,
  { model, scenario, sample, fold, targets }: PublishedContext,
): PublishedRow | undefined {
  const shared = { model, scenario, sample: sample.id, label: sample.label ?? '', fold };
  if (answer.kind === 'verdict' && answer.named) return { ...shared, acceptedInFive: null, named: answer.named };
  if (answer.kind !== 'scores' || targets.length < 2) return undefined;
  const { scores } = answer;
  const isAmongFive = (target: number) => {
    let before = 0;
    // Equal scores rank by their place, as in the prediction row.
    for (let i = 0; i < scores.length && before < 5; i++)
      if (scores[i] > scores[target] || (scores[i] === scores[target] && i < target)) before++;
    return before < 5;
  };
  return { ...shared, acceptedInFive: targets.filter(isAmongFive).length, named: null };
}
