import { normalQuantile } from './normal.ts';

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
