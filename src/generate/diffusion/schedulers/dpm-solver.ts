import { signalShares } from './betas.ts';
import type { SchedulerConfig } from './config.ts';
import { type Latent, type NoiseLevel, type Scheduler, scheduleOf } from './define.ts';
import { finalSigma, interpolate, karrasSigmas, sigmasOf, timestepOf } from './sigmas.ts';
import { roundHalfEven, spaceTimesteps } from './timesteps.ts';

/** DPM-Solver++(2M), Lu et al. (2022b), algorithm 2: a second-order step from this and the last clean picture. */
export const dpmSolver: Scheduler = {
  className: 'DPMSolverMultistepScheduler',
  id: 'dpm-solver++',
  schedule(config, steps) {
    const trained = sigmasOf(signalShares(config));
    let timesteps = timestepsOf(config, steps);
    let sigmas = timesteps.map((t) => interpolate(trained, t));
    if (config.use_karras_sigmas) {
      sigmas = karrasSigmas(trained[trained.length - 1], trained[0], steps);
      timesteps = sigmas.map((sigma) => roundHalfEven(timestepOf(sigma, trained)));
    }
    const levels = [...sigmas, finalSigma(config, trained[0])].map(levelOfSigma);
    const endsFirstOrder =
      config.euler_at_final || (config.lower_order_final && steps < 15) || config.final_sigmas_type === 'zero';
    let before: { index: number; clean: Latent } | undefined;
    return scheduleOf(config, {
      timesteps,
      levels: levels.slice(0, steps),
      step({ clean }, sample, index) {
        const from = levels[index];
        const to = levels[index + 1];
        const h = halfLogSnr(to) - halfLogSnr(from);
        const ratio = to.noise / from.noise;
        const pull = -to.signal * Math.expm1(-h);
        const earlier = before?.index === index - 1 ? before.clean : undefined;
        before = { index, clean };
        const firstOrder = !earlier || config.solver_order === 1 || (index === steps - 1 && endsFirstOrder);
        if (firstOrder) return sample.map((x, i) => ratio * x + pull * clean[i]);
        const r = (halfLogSnr(from) - halfLogSnr(levels[index - 1])) / h;
        const slopePull = config.solver_type === 'heun' ? to.signal * (Math.expm1(-h) / h + 1) : pull / 2;
        return sample.map((x, i) => ratio * x + pull * clean[i] + (slopePull * (clean[i] - earlier[i])) / r);
      },
    });
  },
};

/** It divides the range into one part more than the others do, and leaves out the cleanest. */
function timestepsOf(config: SchedulerConfig, steps: number): number[] {
  const spacing = config.timestep_spacing ?? 'linspace';
  if (spacing === 'trailing') return spaceTimesteps(steps, config, spacing);
  return spaceTimesteps(steps + 1, config, spacing)
    .slice(0, -1)
    .map(roundHalfEven);
}

/** λ = ln(α / σ). */
const halfLogSnr = ({ signal, noise }: NoiseLevel): number => Math.log(signal) - Math.log(noise);

function levelOfSigma(sigma: number): NoiseLevel {
  const signal = 1 / Math.hypot(sigma, 1);
  return { signal, noise: sigma * signal };
}
