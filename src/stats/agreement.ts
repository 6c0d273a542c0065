import type { Random } from '../contracts/random.ts';
import { bootstrap, percentileInterval } from './bootstrap.ts';
import type { Interval } from './proportion.ts';

/** What each reviewer said of each item; null: not asked, or no answer. All items list the reviewers in one order. */
export type Ratings = readonly (readonly (string | null)[])[];

/** A coefficient of agreement from ratings, each item counting `weights[i]` times. NaN where it is not defined. */
export type AgreementStatistic = (ratings: Ratings, weights?: ArrayLike<number>) => number;

const weightOf = (weights: ArrayLike<number> | undefined, i: number) => weights?.[i] ?? 1;

/** Cohen's (1960) κ of two reviewers, over the items that both answered. */
export function cohenKappa(first: number, second: number): AgreementStatistic {
  return (ratings, weights) => {
    const margins = new Map<string, [number, number]>();
    let [n, same] = [0, 0];
    for (const [i, row] of ratings.entries()) {
      const [a, b] = [row[first], row[second]];
      const weight = weightOf(weights, i);
      if (a == null || b == null || weight === 0) continue;
      n += weight;
      if (a === b) same += weight;
      for (const [side, answer] of [a, b].entries()) {
        const margin = margins.get(answer) ?? [0, 0];
        margin[side] += weight;
        margins.set(answer, margin);
      }
    }
    let chance = 0;
    for (const [a, b] of margins.values()) chance += (a / n) * (b / n);
    return beyondChance(same / n, chance);
  };
}

/** Fleiss' (1971) κ: any number of reviewers, of whom each item has the same number of answers. */
export const fleissKappa: AgreementStatistic = (ratings, weights) => {
  const perItem = answersOf(ratings[0] ?? []).length;
  if (perItem < 2 || ratings.some((row) => answersOf(row).length !== perItem)) return Number.NaN;
  const totals = new Map<string, number>();
  let [items, pairs] = [0, 0];
  for (const [i, row] of ratings.entries()) {
    const weight = weightOf(weights, i);
    items += weight;
    for (const [answer, count] of countAnswers(row)) {
      totals.set(answer, (totals.get(answer) ?? 0) + weight * count);
      pairs += weight * count * (count - 1);
    }
  }
  const observed = pairs / (items * perItem * (perItem - 1));
  let chance = 0;
  for (const total of totals.values()) chance += (total / (items * perItem)) ** 2;
  return beyondChance(observed, chance);
};

/** Krippendorff's (2011) α for nominal answers: any number of reviewers, answers may be missing. */
export const krippendorffAlpha: AgreementStatistic = (ratings, weights) => {
  const totals = new Map<string, number>();
  let [values, disagreeing] = [0, 0];
  for (const [i, row] of ratings.entries()) {
    const counts = countAnswers(row);
    const answers = answersOf(row).length;
    const weight = weightOf(weights, i);
    // A single answer cannot be paired with another.
    if (answers < 2 || weight === 0) continue;
    values += weight * answers;
    for (const [answer, count] of counts) {
      totals.set(answer, (totals.get(answer) ?? 0) + weight * count);
      disagreeing += (weight * count * (answers - count)) / (answers - 1);
    }
  }
  let expected = 0;
  for (const total of totals.values()) expected += total * (values - total);
  return expected > 0 ? 1 - ((values - 1) * disagreeing) / expected : Number.NaN;
};

export interface AgreementEstimate {
  readonly estimate: number;
  readonly ci: Interval;
}

/** A coefficient with its interval: items drawn again with replacement, the middle 95 % of the draws. */
export function agreementWithInterval(
  ratings: Ratings,
  statistic: AgreementStatistic,
  { random, replicates = 999 }: { random: Random; replicates?: number },
): AgreementEstimate {
  const rows = bootstrap(ratings.length, (counts) => [statistic(ratings, counts)], { random, replicates });
  return { estimate: statistic(ratings), ci: percentileInterval(rows.map(([value]) => value)) };
}

const answersOf = (row: readonly (string | null)[]) => row.filter((answer) => answer !== null);

function countAnswers(row: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const answer of answersOf(row) as string[]) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return counts;
}

/** Undefined (NaN) where all answers are the same: chance alone then explains all agreement. */
const beyondChance = (observed: number, chance: number) =>
  chance < 1 ? (observed - chance) / (1 - chance) : Number.NaN;
