import { benjaminiHochberg } from '../stats/multiple.ts';
import { normalTwoSided } from '../stats/normal.ts';
import { type Interval, wilson } from '../stats/proportion.ts';
import type { PicturePool, PoolItem } from './pool.ts';

/** How a class or nuisance stands in the hard set against the pool it came from. */
export interface AuditRow {
  readonly by: 'class' | 'nuisance';
  readonly value: string;
  readonly pool: number;
  readonly hard: number;
  /** Share of its pictures that became hard, and that share's interval. */
  readonly share: number;
  readonly ci: Interval;
  /** Over the share of the whole pool: 2 is twice as often hard as the pool. */
  readonly ratio: number;
  readonly p: number;
  /** Corrected for looking at every class and nuisance (Benjamini and Hochberg, 1995). */
  readonly pCorrected: number;
}

/** Whether some objects or nuisances are hard more often than others; the most over-represented first. */
export function auditHardSet(pool: PicturePool, hard: Uint8Array): AuditRow[] {
  const n = pool.items.length;
  const total = hard.reduce((sum, flag) => sum + flag, 0);
  const rows = (['class', 'nuisance'] as const).flatMap((by) => {
    const word = (item: PoolItem) => (by === 'class' ? item.label : item.nuisance);
    const counts = new Map<string, [pool: number, hard: number]>();
    for (const [i, item] of pool.items.entries()) {
      const count = counts.get(word(item)) ?? [0, 0];
      count[0]++;
      count[1] += hard[i];
      counts.set(word(item), count);
    }
    return [...counts].map(([value, [inPool, inHard]]) => ({
      by,
      value,
      pool: inPool,
      hard: inHard,
      share: inHard / inPool,
      ci: wilson(inHard, inPool),
      ratio: inHard / inPool / (total / n),
      p: drawnWithoutReplacement(inHard, { n, total, drawn: inPool }),
    }));
  });
  const corrected = benjaminiHochberg(rows.map(({ p }) => p));
  return rows.map((row, i) => ({ ...row, pCorrected: corrected[i] })).sort((a, b) => b.ratio - a.ratio);
}

/** Two-sided P of a count under the hypergeometric distribution, by its normal limit with Yates' correction. */
function drawnWithoutReplacement(count: number, { n, total, drawn }: { n: number; total: number; drawn: number }) {
  const mean = (drawn * total) / n;
  const variance = (mean * (1 - total / n) * (n - drawn)) / (n - 1);
  if (!(variance > 0)) return 1;
  return Math.min(1, normalTwoSided(Math.max(0, Math.abs(count - mean) - 0.5) / Math.sqrt(variance)));
}
