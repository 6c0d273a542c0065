import { normalTwoSided } from './normal.ts';
import { tTwoSided } from './student-t.ts';

export interface Association {
  readonly statistic: number;
  readonly p: number;
  readonly n: number;
}

/** Ranks from 1, ties sharing their mean. */
export function ranks(x: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a] - x[b]);
  const result = new Float64Array(x.length);
  for (let i = 0; i < order.length; ) {
    let end = i + 1;
    while (end < order.length && x[order[end]] === x[order[i]]) end++;
    for (let k = i; k < end; k++) result[order[k]] = (i + end + 1) / 2;
    i = end;
  }
  return result;
}

export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  let [mx, my] = [0, 0];
  for (let i = 0; i < n; i++) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  let [sxx, syy, sxy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    sxx += (x[i] - mx) ** 2;
    syy += (y[i] - my) ** 2;
    sxy += (x[i] - mx) * (y[i] - my);
  }
  return Math.max(-1, Math.min(1, sxy / Math.sqrt(sxx * syy)));
}

/** Spearman's ρ, ties by mean rank; P from t with n − 2 degrees of freedom, as SciPy. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Association {
  const n = x.length;
  const statistic = pearson(ranks(x), ranks(y));
  const t = statistic * Math.sqrt((n - 2) / ((1 - statistic) * (1 + statistic)));
  return { statistic, p: n > 2 ? tTwoSided(t, n - 2) : Number.NaN, n };
}

/**
 * Kendall's τ-b. P is exact without ties and n ≤ 60, else from the normal distribution with the variance corrected for
 * ties (Kendall, 1970), as SciPy.
 */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>): Association {
  const n = x.length;
  let [concordant, discordant] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const sign = Math.sign(x[i] - x[j]) * Math.sign(y[i] - y[j]);
      if (sign > 0) concordant++;
      else if (sign < 0) discordant++;
    }
  const pairs = (n * (n - 1)) / 2;
  const [tx, ty] = [tieSums(x), tieSums(y)];
  const score = concordant - discordant;
  const statistic = score / (Math.sqrt(pairs - tx.pairs) * Math.sqrt(pairs - ty.pairs));
  if (tx.pairs === 0 && ty.pairs === 0 && n <= 60)
    return { statistic, p: kendallExact(n, Math.min(concordant, discordant)), n };
  const m = n * (n - 1);
  const variance =
    (m * (2 * n + 5) - tx.cubic - ty.cubic) / 18 +
    (2 * tx.pairs * ty.pairs) / m +
    (tx.triples * ty.triples) / (9 * m * (n - 2));
  return { statistic, p: normalTwoSided(score / Math.sqrt(variance)), n };
}

function tieSums(x: ArrayLike<number>) {
  const counts = new Map<number, number>();
  for (let i = 0; i < x.length; i++) counts.set(x[i], (counts.get(x[i]) ?? 0) + 1);
  let [pairs, triples, cubic] = [0, 0, 0];
  for (const t of counts.values()) {
    pairs += (t * (t - 1)) / 2;
    triples += t * (t - 1) * (t - 2);
    cubic += t * (t - 1) * (2 * t + 5);
  }
  return { pairs, triples, cubic };
}

/** Two-sided: twice the share of orders with at most `inversions` inversions. */
function kendallExact(n: number, inversions: number): number {
  // The counts of inversions of k items are those of k − 1 items smeared over k places (Knuth, 5.1.1).
  let shares = [1];
  for (let k = 2; k <= n; k++) {
    const next = new Array<number>(Math.min(inversions, (k * (k - 1)) / 2) + 1).fill(0);
    for (let i = 0; i < next.length; i++)
      for (let j = Math.max(0, i - k + 1); j <= Math.min(i, shares.length - 1); j++) next[i] += shares[j] / k;
    shares = next;
  }
  return Math.min(1, 2 * shares.slice(0, inversions + 1).reduce((sum, share) => sum + share, 0));
}
