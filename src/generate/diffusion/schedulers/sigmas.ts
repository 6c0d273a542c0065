import type { SchedulerConfig } from './config.ts';

/**
 * Noise per signal at each training step. No signal at all would be infinite noise; it is taken as 2⁻²⁴, as in
 * diffusers.
 */
export const sigmasOf = (shares: Float64Array): Float64Array =>
  shares.map((share) => share || 2 ** -24).map((share) => Math.sqrt((1 - share) / share));

/** The value between two entries of a list. */
export function interpolate(list: ArrayLike<number>, at: number): number {
  const low = Math.min(list.length - 1, Math.max(0, Math.floor(at)));
  const high = Math.min(list.length - 1, low + 1);
  return list[low] + (list[high] - list[low]) * (at - low);
}

/** Karras et al. (2022), eq. 5 with ρ = 7: steps that grow shorter towards the picture. */
export function karrasSigmas(from: number, to: number, steps: number): number[] {
  const rho = 7;
  return Array.from({ length: steps }, (_, i) => {
    const share = steps === 1 ? 0 : i / (steps - 1);
    return (from ** (1 / rho) + share * (to ** (1 / rho) - from ** (1 / rho))) ** rho;
  });
}

/** The training step, fractional, at which the noise was this strong; linear in its logarithm. */
export function timestepOf(sigma: number, sigmas: Float64Array): number {
  const logarithm = Math.log(Math.max(sigma, 1e-10));
  let low = 0;
  while (low < sigmas.length - 2 && Math.log(sigmas[low + 1]) <= logarithm) low++;
  const below = Math.log(sigmas[low]);
  const above = Math.log(sigmas[low + 1]);
  const share = Math.min(1, Math.max(0, (logarithm - below) / (above - below)));
  return low + share;
}

export const finalSigma = (config: SchedulerConfig, smallest: number): number =>
  config.final_sigmas_type === 'sigma_min' ? smallest : 0;
