import { signalShares } from './betas.ts';
import { levelOf, type Scheduler, scheduleOf } from './define.ts';
import { roundHalfEven, spaceTimesteps } from './timesteps.ts';

/** Ho, Jain and Abbeel (2020), eq. 7: the posterior of the next sample given this one and x̂₀, drawn with new noise. */
export const ddpm: Scheduler = {
  className: 'DDPMScheduler',
  id: 'ddpm',
  schedule(config, steps) {
    const shares = signalShares(config);
    const timesteps = spaceTimesteps(steps, config, config.timestep_spacing ?? 'leading').map(roundHalfEven);
    return scheduleOf(config, {
      timesteps,
      levels: timesteps.map((t) => levelOf(shares[t])),
      clip: config.clip_sample ?? true,
      step({ clean }, sample, index, noise) {
        const share = shares[timesteps[index]];
        const next = index + 1 < timesteps.length ? shares[timesteps[index + 1]] : 1;
        const alpha = share / next;
        const ofClean = (Math.sqrt(next) * (1 - alpha)) / (1 - share);
        const ofSample = (Math.sqrt(alpha) * (1 - next)) / (1 - share);
        const mean = clean.map((x, i) => ofClean * x + ofSample * sample[i]);
        if (timesteps[index] === 0 || next === 1) return mean;
        const smallest = ((1 - next) / (1 - share)) * (1 - alpha);
        const deviation = Math.sqrt(config.variance_type === 'fixed_large' ? 1 - alpha : Math.max(smallest, 1e-20));
        const fresh = noise();
        return mean.map((x, i) => x + deviation * fresh[i]);
      },
    });
  },
};
