import type { SchedulerConfig } from './config.ts';

/** The variance added at each training step. Ho et al. (2020) linear; Rombach et al. (2022) linear in the root; Nichol and Dhariwal (2021) cosine. */
export function betasOf(config: SchedulerConfig): Float64Array {
  const { num_train_timesteps: count, beta_start: start, beta_end: end, trained_betas: given } = config;
  if (given) return Float64Array.from(given);
  const line = (from: number, to: number) =>
    Float64Array.from({ length: count }, (_, i) => (count === 1 ? from : from + ((to - from) * i) / (count - 1)));
  if (config.beta_schedule === 'linear') return line(start, end);
  if (config.beta_schedule === 'scaled_linear')
    return line(Math.sqrt(start), Math.sqrt(end)).map((root) => root * root);
  const kept = (share: number) => Math.cos((((share + 0.008) / 1.008) * Math.PI) / 2) ** 2;
  return Float64Array.from({ length: count }, (_, i) => Math.min(1 - kept((i + 1) / count) / kept(i / count), 0.999));
}

/** ᾱ: the share of the picture's variance that is left after each training step. */
export function signalShares(config: SchedulerConfig): Float64Array {
  const betas = betasOf(config);
  const shares = new Float64Array(betas.length);
  let left = 1;
  for (let i = 0; i < betas.length; i++) shares[i] = left *= 1 - betas[i];
  return config.rescale_betas_zero_snr ? endInPureNoise(shares) : shares;
}

/** Lin et al. (2023), algorithm 1: √ᾱ shifted and scaled so that nothing of the picture is left at the last step. */
function endInPureNoise(shares: Float64Array): Float64Array {
  const roots = shares.map(Math.sqrt);
  const first = roots[0];
  const last = roots[roots.length - 1];
  return roots.map((root) => (((root - last) * first) / (first - last)) ** 2);
}
