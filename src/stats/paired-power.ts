import { binomialCdf, binomialPmf } from './binomial.ts';
import { normalQuantile } from './normal.ts';
import { mcnemarExact } from './proportion.ts';

interface PairedEffect {
  /** p₁ − p₂, as a fraction; its sign does not matter. */
  readonly difference: number;
  /** Share of pairs that disagree; at least |difference|. */
  readonly discordance: number;
  readonly alpha?: number;
}

/**
 * Pairs needed so that McNemar's test shows the difference with the given power (Connor, 1987, Biometrics 43, 207):
 * (z_{α/2} √ψ + z_β √(ψ − d²))² / d².
 */
export function pairedSampleSize({
  difference,
  discordance,
  alpha = 0.05,
  power = 0.8,
}: PairedEffect & { power?: number }): number {
  const d = Math.abs(difference);
  if (!(d > 0) || d > discordance) return d === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  const first = -normalQuantile(alpha / 2) * Math.sqrt(discordance);
  const second = normalQuantile(power) * Math.sqrt(discordance - d * d);
  return Math.ceil((first + second) ** 2 / (d * d));
}

/** Power of the exact McNemar test with n pairs, summed over the number that disagree. */
export function mcnemarPower(n: number, { difference, discordance, alpha = 0.05 }: PairedEffect): number {
  const share = discordance > 0 ? (discordance + difference) / (2 * discordance) : 0.5;
  const spread = 12 * Math.sqrt(n * discordance * (1 - discordance)) + 12;
  const from = Math.max(0, Math.floor(n * discordance - spread));
  const to = Math.min(n, Math.ceil(n * discordance + spread));
  let power = 0;
  for (let pairs = from; pairs <= to; pairs++) {
    const limit = rejectionLimit(pairs, alpha);
    if (limit < 0) continue;
    const rejected = binomialCdf(limit, pairs, share) + binomialCdf(limit, pairs, 1 - share);
    power += binomialPmf(pairs, n, discordance) * rejected;
  }
  return Math.min(1, power);
}

/** Largest count of the rarer disagreement at which the test rejects; −1: none. */
function rejectionLimit(pairs: number, alpha: number): number {
  let low = -1;
  let high = Math.floor((pairs - 1) / 2);
  while (low < high) {
    const mid = Math.ceil((low + high) / 2);
    if (mcnemarExact(mid, pairs - mid) <= alpha) low = mid;
    else high = mid - 1;
  }
  return low;
}
