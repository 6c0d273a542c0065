import type { ReviewQueue, ReviewVote } from '../contracts/review.ts';
import { type CsvCell, spreadsheetCsv } from '../formats/csv-write.ts';
import { agreement, goldResults, outcomes } from './outcome.ts';

/** A row a picture: what became of it, why, and how many gave each answer. */
export function outcomeCsv(queue: ReviewQueue, votes: readonly ReviewVote[]): string {
  const facts = [...new Set(queue.items.flatMap((item) => Object.keys(item.facts ?? {})))];
  const columns = queue.questions.flatMap(({ id, answers }) => answers.map(({ value }) => [id, value] as const));
  const header = ['id', 'image', 'label', 'outcome', 'reason', 'disputed'];
  const rows = outcomes(queue, votes).map(({ item, outcome, reason, disputed, votes: counts }): CsvCell[] => [
    item.id,
    item.image,
    item.label,
    outcome,
    reason,
    disputed,
    ...columns.map(([question, answer]) => counts[question]?.[answer] ?? 0),
    ...facts.map((fact) => item.facts?.[fact]),
  ]);
  return spreadsheetCsv([...header, ...columns.map((column) => column.join(': ')), ...facts], rows);
}

/** Everything a reader needs to count again: the rule, the outcomes, every vote and last word, and how far to trust them. */
export const outcomeJson = (queue: ReviewQueue, votes: readonly ReviewVote[]) => ({
  title: queue.title,
  questions: queue.questions,
  rule: queue.rule,
  outcomes: outcomes(queue, votes).map(({ item, ...outcome }) => ({ ...item, ...outcome })),
  agreement: agreement(queue, votes),
  gold: goldResults(queue, votes),
  votes,
});
