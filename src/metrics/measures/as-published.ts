import type { AsPublished } from '../../contracts/score.ts';
import type { RunFolder } from '../../run/folder/index.ts';

interface Sums {
  readonly pictures: number;
  readonly dropped: number;
  readonly hits: number;
  /** Null: at least one answer says nothing of the first five. */
  readonly hitsInFive: number | null;
}

/**
 * The accuracies that ImageNet-D's own programs print (Zhang et al., 2024). `evaluate_imagenet_models.py` adds to top-5 a hit
 * for every accepted output among the first five, so that a picture of a chair can count three times;
 * `LLaVA/compute_accuracy.py` asks with the truth first and leaves answers that name both choices or neither out of the
 * denominator.
 */
export async function asPublished(folder: RunFolder): Promise<AsPublished[]> {
  const rows = await folder.query<Sums & { model: string; scenario: string }>(`
    SELECT p.model, p.scenario, count(*)::INTEGER AS pictures,
      (count(*) FILTER (WHERE u.named IN ('both', 'neither')))::INTEGER AS dropped,
      sum(CASE WHEN u.named IS NULL THEN p.correct ELSE u.named = 'truth' END::INTEGER)::INTEGER AS hits,
      CASE WHEN count(coalesce(u."acceptedInFive", p."rankTruth")) = count(*) AND count(u.named) = 0
        THEN sum(coalesce(u."acceptedInFive", (p."rankTruth" <= 5)::INTEGER))::INTEGER END AS "hitsInFive"
    FROM predictions p LEFT JOIN published u USING (model, scenario, sample, fold)
    WHERE p.trained = '' GROUP BY p.model, p.scenario ORDER BY p.model, p.scenario`);
  return [...new Set(rows.map(({ model }) => model))].map((model) => {
    const own = rows.filter((row) => row.model === model);
    const original = own.find(({ scenario }) => scenario === 'original');
    const others = own.filter((row) => row !== original);
    const overall = accuracies(others.length ? others : own);
    const before = original && others.length ? accuracies([original]).top1 : null;
    return {
      model,
      scenarios: own.map((row) => ({ scenario: row.scenario, ...accuracies([row]) })),
      overall,
      drop: before === null || overall.top1 === null ? null : before - overall.top1,
    };
  });
}

/** Every picture counts once, whatever its scenario: not the mean of the scenarios. */
function accuracies(rows: readonly Sums[]) {
  const sum = (of: (row: Sums) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [pictures, dropped] = [sum((row) => row.pictures), sum((row) => row.dropped)];
  const counted = pictures - dropped;
  const isRanked = rows.every(({ hitsInFive }) => hitsInFive !== null);
  return {
    pictures,
    dropped,
    top1: counted ? sum(({ hits }) => hits) / counted : null,
    top5: isRanked ? sum(({ hitsInFive }) => hitsInFive ?? 0) / pictures : null,
  };
}
