import { signalShares } from './betas.ts';
import { levelOf, type Scheduler, scheduleOf } from './define.ts';

const dataDeviation = 0.5;

/** Luo et al. (2023): multistep consistency sampling, each step straight to a picture and back with new noise. */
export const lcm: Scheduler = {
  className: 'LCMScheduler',
  id: 'lcm',
  schedule(config, steps) {
    const shares = signalShares(config);
    const stride = Math.floor(config.num_train_timesteps / config.original_inference_steps);
    const distilled = Array.from({ length: config.original_inference_steps }, (_, i) => (i + 1) * stride - 1).reverse();
    const timesteps = Array.from(
      { length: Math.min(steps, distilled.length) },
      (_, i, count = Math.min(steps, distilled.length)) => distilled[Math.floor((i * distilled.length) / count)],
    );
    return scheduleOf(config, {
      timesteps,
      levels: timesteps.map((t) => levelOf(shares[t])),
      clip: config.clip_sample ?? false,
      step({ clean }, sample, index, noise) {
        // The boundary condition: at no noise the sample itself is the answer.
        const scaled = timesteps[index] * config.timestep_scaling;
        const ofSample = dataDeviation ** 2 / (scaled ** 2 + dataDeviation ** 2);
        const ofClean = scaled / Math.hypot(scaled, dataDeviation);
        const denoised = clean.map((x, i) => ofClean * x + ofSample * sample[i]);
        if (index + 1 >= timesteps.length) return denoised;
        const next = levelOf(shares[timesteps[index + 1]]);
        const fresh = noise();
        return denoised.map((x, i) => next.signal * x + next.noise * fresh[i]);
      },
    });
  },
};
