import { signalShares } from './betas.ts';
import { levelOf, type Scheduler, scheduleOf } from './define.ts';
import { roundHalfEven, spaceTimesteps } from './timesteps.ts';

/** Song, Meng and Ermon (2021), eq. 12 with σ = 0: no new noise, the same picture from the same start. */
export const ddim: Scheduler = {
  className: 'DDIMScheduler',
  id: 'ddim',
  schedule(config, steps) {
    const shares = signalShares(config);
    const timesteps = spaceTimesteps(steps, config, config.timestep_spacing ?? 'leading').map(roundHalfEven);
    const stride = Math.floor(config.num_train_timesteps / steps);
    const last = config.set_alpha_to_one ? 1 : shares[0];
    const nextLevels = timesteps.map((t) => levelOf(t - stride >= 0 ? shares[t - stride] : last));
    return scheduleOf(config, {
      timesteps,
      levels: timesteps.map((t) => levelOf(shares[t])),
      clip: config.clip_sample ?? true,
      step({ clean, epsilon }, _sample, index) {
        const { signal, noise } = nextLevels[index];
        return clean.map((x, i) => signal * x + noise * epsilon[i]);
      },
    });
  },
};
