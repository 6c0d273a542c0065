import type { Comparison } from '../comparison.ts';

/** What the page shows of a comparison, and so what an exported site holds of it. */
export type ExportedComparison = Pick<Comparison, 'overall' | 'scenarios' | 'flipped' | 'flips' | 'notes'>;

const opposite = { gained: 'lost', lost: 'gained' } as const;

/** The same two models the other way round: a site holds each pair once. */
export function swapSides({ overall, scenarios, flips, ...rest }: ExportedComparison): ExportedComparison {
  return {
    ...rest,
    overall: { ...overall, difference: negative(overall.difference), ci: mirrored(overall.ci) },
    scenarios: scenarios.map((row) => ({
      ...row,
      ...{ a: row.b, b: row.a, gained: row.lost, lost: row.gained },
      ...{ difference: negative(row.difference), ci: mirrored(row.ci) },
    })),
    flips: flips.map((flip) => ({ ...flip, a: flip.b, b: flip.a, change: opposite[flip.change] })),
  };
}

/** Without a minus before nought. */
const negative = (value: number): number => (value === 0 ? 0 : -value);
const mirrored = (ci: [number, number] | null): [number, number] | null => ci && [negative(ci[1]), negative(ci[0])];
