import type { ReportTable } from '../document.ts';
import type { ScoreFacts } from './scores.ts';

/** What is said of each model in words: verdict, robustness, background, and what to mind. */
export function modelWordsTable(facts: readonly ScoreFacts[]): ReportTable {
  const rows = facts.map(({ model, score: { verdict, robustness, background, distribution = [] } }) => ({
    model,
    verdict: verdict?.words ?? null,
    robustness: robustness?.words ?? null,
    background: background?.words ?? null,
    mind: distribution.flatMap(({ warning }) => warning ?? []).join(' ') || null,
  }));
  return {
    id: 'model-words',
    title: 'Model by model, in words',
    folded: true,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'verdict', label: 'The scene' },
      { key: 'robustness', label: 'The robustness score' },
      { key: 'background', label: 'The background alone' },
      { key: 'mind', label: 'To mind' },
    ],
    rows,
  };
}
