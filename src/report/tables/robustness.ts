import type { ReportTable } from '../document.ts';
import { fixed, none, percent, points } from '../show.ts';
import type { ScoreFacts } from './scores.ts';

/** The robustness score in its parts. */
export function robustnessTable(facts: readonly ScoreFacts[]): ReportTable {
  const right = { align: 'right' as const };
  return {
    id: 'robustness',
    title: 'The robustness score and its parts',
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'mu', label: 'μ', ...right, show: (value) => percent(value) },
      { key: 'scenarios', label: 'Scenarios', ...right },
      { key: 'cross', label: 'Cross', ...right, show: (value) => fixed(value, 5) },
      { key: 'crossRoot', label: '√cross, points', ...right, show: (value) => points(value) },
      { key: 'inner', label: 'Inner', ...right, show: (value) => fixed(value, 5) },
      { key: 'innerRoot', label: '√inner, points', ...right, show: (value) => points(value) },
      { key: 'score', label: 'Score', ...right, show: (value) => fixed(value, 4) },
      {
        key: 'low',
        label: '95\u00a0% interval',
        ...right,
        with: ['high'],
        show: (low, row) => (low === null ? none : `${fixed(low, 4)} to ${fixed(row.high, 4)}`),
      },
      { key: 'debiased', label: 'Without sampling noise', ...right, show: (value) => fixed(value, 4) },
    ],
    rows: facts.flatMap(({ model, score: { robustness } }) => {
      if (!robustness) return [];
      const { mu = null, scenarios = null, cross, inner, score, ci, debiased } = robustness;
      const roots = { crossRoot: Math.sqrt(cross), innerRoot: inner === null ? null : Math.sqrt(inner) };
      return [
        { model, mu, scenarios, cross, inner, ...roots, score, low: ci?.[0] ?? null, high: ci?.[1] ?? null, debiased },
      ];
    }),
  };
}
