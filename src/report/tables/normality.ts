import type { Analysis } from '../../contracts/analysis.ts';
import { significantOf } from '../../contracts/numbers.ts';
import { drawnClusters, imageErrors } from '../../metrics/analyze/image-errors.ts';
import type { ReportTable } from '../document.ts';
import { pValue } from '../show.ts';

const names = {
  dagostino: 'D’Agostino–Pearson omnibus (K²)',
  anderson: 'Anderson–Darling (A²*)',
  shapiro: 'Shapiro–Wilk (W)',
  lilliefors: 'Kolmogorov–Smirnov, Lilliefors (D)',
} as const;

export function normalityTable(normality: NonNullable<Analysis['normality']>): ReportTable {
  return {
    id: 'normality',
    title: 'Are the residuals normal?',
    columns: [
      { key: 'test', label: 'Test' },
      { key: 'statistic', label: 'Statistic', align: 'right', show: (v) => significantOf(v as number | null) },
      { key: 'p', label: 'P', align: 'right', show: pValue },
      { key: 'passed', label: 'Normal at 5 %?' },
    ],
    rows: Object.entries(names).map(([key, test]) => {
      const { statistic, p, reason } = normality[key as keyof typeof names];
      return { test, statistic, p, passed: p === null ? (reason ?? 'cannot be told') : p > 0.05 ? 'yes' : 'no' };
    }),
  };
}

/** What the tests mean for the printed intervals. */
export function normalityWords(analysis: Pick<Analysis, 'normality' | 'n' | 'bootstrap' | 'errors'>): string {
  const { normality, n } = analysis;
  const drawn = imageErrors(analysis);
  const tested = Object.values(normality ?? {}).flatMap(({ p }) => (p === null ? [] : [p]));
  if (!tested.length) return 'There are too few rows to test the residuals for normality.';
  const failed = tested.filter((p) => p <= 0.05).length;
  if (drawn)
    return `${failed ? `${failed} of ${tested.length} tests see` : 'No test sees'} a departure from normality${failed ? ', which accuracies near 0 or 100 % bring about' : ''}. Intervals, P and stars above come from drawing ${drawnClusters(drawn)} anew and do not need normal residuals.`;
  if (!failed) return 'No test sees a departure from normality.';
  const large =
    n >= 100
      ? 'with this many rows the estimates themselves are hardly touched, but P values near 0.05 should be read with care'
      : 'with this few rows P values near 0.05 should not be relied on';
  return `${failed} of ${tested.length} tests see a departure from normality, which accuracies near 0 or 100 % bring about; ${large}.`;
}
