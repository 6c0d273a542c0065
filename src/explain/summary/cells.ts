import type { SaliencyRow } from '../../contracts/saliency.ts';
import { clusterMean, clusterShare, type Mean, type TestedMean } from '../../stats/cluster-mean.ts';
import { holm } from '../../stats/multiple.ts';
import type { Interval } from '../../stats/proportion.ts';

export const meanMeasures = ['shareOnObject', 'energyRatio', 'reliance', 'iou', 'deletion', 'insertion'] as const;
export type MeanMeasure = (typeof meanMeasures)[number];

/** One model under one scenario. */
export interface SaliencyCell extends Record<MeanMeasure, Mean> {
  readonly model: string;
  readonly scenario: string;
  readonly method: string;
  readonly n: number;
  readonly areaShare: number | null;
  readonly pointing: Mean;
  readonly accuracy: Mean;
  /** Share on the object, scenario minus original over the same images; null on `original`. */
  readonly change: Change | null;
}

export interface Change {
  readonly n: number;
  readonly difference: number | null;
  readonly ci: Interval | null;
  readonly p: number | null;
  /** Corrected over the scenarios of one model (Holm). */
  readonly pHolm: number | null;
}

export const originalScenario = 'original';

/** What is resampled together: the group where one is given, else the source image. */
export const clusterOf = ({ group, sample }: Pick<SaliencyRow, 'group' | 'sample'>): string =>
  group ? `group ${group}` : `sample ${sample}`;

export function saliencyCells(rows: readonly SaliencyRow[]): SaliencyCell[] {
  return [...groups(rows, ({ model }) => model).values()].flatMap((ofModel) => {
    const cells = [...groups(ofModel, ({ scenario }) => scenario).values()];
    const original = cells.find(([first]) => first.scenario === originalScenario);
    const changes = cells.map((own) =>
      original && own !== original ? pairedDifference(own, original, ({ shareOnObject }) => shareOnObject) : null,
    );
    const corrected = holm(changes.map((change) => change?.p ?? Number.NaN));
    return cells.map((own, i) => cellOf(own, changes[i], corrected[i]));
  });
}

function cellOf(rows: readonly SaliencyRow[], change: TestedMean | null, pHolm: number): SaliencyCell {
  const clusters = rows.map(clusterOf);
  const mean = (measure: (row: SaliencyRow) => number, most = 1) =>
    clusterMean(rows.map(measure), clusters, { range: [0, most] });
  const measures = Object.fromEntries(
    meanMeasures.map((name) => {
      const { p: _, ...rest } = mean((row) => row[name], name === 'energyRatio' ? Number.POSITIVE_INFINITY : 1);
      return [name, rest];
    }),
  ) as Record<MeanMeasure, Mean>;
  return {
    model: rows[0].model,
    scenario: rows[0].scenario,
    method: rows[0].method,
    n: rows.length,
    areaShare: mean(({ areaShare }) => areaShare).mean,
    ...measures,
    pointing: clusterShare(
      rows.map(({ pointing }) => pointing),
      clusters,
    ),
    accuracy: clusterShare(
      rows.map(({ correct }) => (correct ? 1 : 0)),
      clusters,
    ),
    change: change && {
      n: change.n,
      difference: change.mean,
      ci: change.ci,
      p: change.p,
      pHolm: Number.isNaN(pHolm) ? null : pHolm,
    },
  };
}

/** First minus second over the samples that both have. */
export function pairedDifference(
  first: readonly SaliencyRow[],
  second: readonly SaliencyRow[],
  measure: (row: SaliencyRow) => number,
): TestedMean {
  const other = new Map(second.map((row) => [row.sample, row]));
  const pairs = first.flatMap((row) => {
    const match = other.get(row.sample);
    return match ? [{ difference: measure(row) - measure(match), cluster: clusterOf(row) }] : [];
  });
  return clusterMean(
    pairs.map(({ difference }) => difference),
    pairs.map(({ cluster }) => cluster),
  );
}

export function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const own = found.get(key);
    if (own) own.push(item);
    else found.set(key, [item]);
  }
  return found;
}
