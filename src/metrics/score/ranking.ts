import type { Score } from '../../contracts/score.ts';

type Ranking = NonNullable<Score['ranking']>;

/**
 * How often each model takes each rank over joint resamples (`values[model][replicate]`, larger is better). Models that
 * tie share their ranks.
 */
export function rankingOf(by: string, values: ReadonlyMap<string, Float64Array>): Ranking | null {
  const models = [...values.keys()];
  const replicates = Math.min(...[...values.values()].map(({ length }) => length));
  if (models.length < 2 || replicates === 0) return null;
  const counts = models.map(() => new Float64Array(models.length));
  let used = 0;
  for (let b = 0; b < replicates; b++) {
    const scores = models.map((model) => (values.get(model) as Float64Array)[b]);
    if (scores.some(Number.isNaN)) continue;
    used++;
    for (const [m, own] of scores.entries()) {
      const better = scores.filter((score) => score > own).length;
      const equal = scores.filter((score) => score === own).length;
      for (let rank = better; rank < better + equal; rank++) counts[m][rank] += 1 / equal;
    }
  }
  if (used === 0) return null;
  const ranked = models.map((model, m) => {
    const ranks = [...counts[m]].map((count) => count / used);
    return { model, best: ranks[0], ranks };
  });
  const meanRank = ({ ranks }: { ranks: number[] }) => ranks.reduce((sum, share, i) => sum + share * i, 0);
  return { by, replicates: used, models: ranked.sort((a, b) => meanRank(a) - meanRank(b)) };
}
