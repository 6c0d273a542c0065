import { signalShares } from './betas.ts';
import { type Scheduler, scheduleOf } from './define.ts';
import { finalSigma, interpolate, karrasSigmas, sigmasOf, timestepOf } from './sigmas.ts';
import { roundHalfEven, spaceTimesteps } from './timesteps.ts';

/** Karras et al. (2022), algorithm 1: straight steps along dx/dσ = (x − x̂₀) / σ. Samples are kept unscaled, x₀ + σ ε. */
export const euler: Scheduler = {
  className: 'EulerDiscreteScheduler',
  id: 'euler',
  schedule(config, steps) {
    const trained = sigmasOf(signalShares(config));
    const spacing = config.timestep_spacing ?? 'linspace';
    let timesteps = spaceTimesteps(steps, config, spacing);
    if (spacing !== 'linspace') timesteps = timesteps.map(roundHalfEven);
    let sigmas = timesteps.map((t) => interpolate(trained, t));
    if (config.use_karras_sigmas) {
      sigmas = karrasSigmas(sigmas[0], sigmas[steps - 1], steps);
      timesteps = sigmas.map((sigma) => timestepOf(sigma, trained));
    }
    sigmas.push(finalSigma(config, trained[0]));
    return scheduleOf(config, {
      timesteps,
      levels: sigmas.slice(0, steps).map((noise) => ({ signal: 1, noise })),
      startScale: spacing === 'leading' ? Math.hypot(sigmas[0], 1) : sigmas[0],
      step({ clean }, sample, index) {
        const ratio = sigmas[index + 1] / sigmas[index];
        return sample.map((x, i) => clean[i] + (x - clean[i]) * ratio);
      },
    });
  },
};
