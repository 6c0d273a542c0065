import { kendall, spearman } from '../../stats/rank.ts';

export interface Agreement {
  readonly a: string;
  readonly b: string;
  /** Models that have both. */
  readonly models: number;
  readonly spearman: number;
  readonly kendall: number;
}

/** How far two measures order the models alike; each measure a value per model, larger is better. At least three models. */
export function measureAgreement(measures: Readonly<Record<string, ReadonlyMap<string, number>>>): Agreement[] {
  const names = Object.keys(measures);
  return names.flatMap((a, i) =>
    names.slice(i + 1).flatMap((b) => {
      const models = [...measures[a].keys()].filter((model) => measures[b].has(model));
      if (models.length < 3) return [];
      const x = models.map((model) => measures[a].get(model) as number);
      const y = models.map((model) => measures[b].get(model) as number);
      return [{ a, b, models: models.length, spearman: spearman(x, y).statistic, kendall: kendall(x, y).statistic }];
    }),
  );
}
