import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../stats/random.ts';
import { signalShares } from './betas.ts';
import { parseSchedulerConfig } from './config.ts';
import type { Latent, Schedule } from './define.ts';
import { findScheduler, schedulers } from './index.ts';

interface Case {
  scheduler: string;
  config: Record<string, unknown>;
  steps: number;
  startScale: number;
  timesteps: number[];
  path: number[][];
}
// Made by test/fixtures/diffusion/make_schedulers.py.
const reference = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/diffusion/schedulers.json', import.meta.url), 'utf8'),
) as { start: number[]; draws: number[][]; cases: Case[]; shares: Record<string, number[]> };

const network = (x: Latent, t: number) =>
  x.map((value) => 0.7 * Math.tanh(1.3 * value + 0.2) + 0.3 * Math.sin(2 * value + t / 150));

describe('betas', () => {
  it.each(Object.entries(reference.shares))('%s leave the shares NumPy computes', (beta_schedule, wanted) => {
    const range = beta_schedule === 'scaled_linear' ? { beta_start: 0.00085, beta_end: 0.012 } : {};
    const shares = signalShares(parseSchedulerConfig({ beta_schedule, ...range }, 'test'));
    [0, 1, 500, 998, 999].forEach((t, i) => {
      expect(Math.abs(shares[t] / wanted[i] - 1)).toBeLessThan(1e-11);
    });
  });

  it('leave nothing at the last step where the config asks for it', () => {
    const config = parseSchedulerConfig({ rescale_betas_zero_snr: true }, 'test');
    expect(signalShares(config)[999]).toBe(0);
    expect(signalShares({ ...config, rescale_betas_zero_snr: false })[999]).toBeGreaterThan(1e-6);
  });
});

describe.each(reference.cases.map((one) => [`${one.scheduler} ${JSON.stringify(one.config)}`, one] as const))(
  '%s',
  (_, { scheduler, config, steps, startScale, timesteps, path }) => {
    it('takes every step of the float64 reference', () => {
      const schedule = findScheduler(scheduler, 'test').schedule(parseSchedulerConfig(config, 'test'), steps);
      expect(schedule.timesteps).toHaveLength(steps);
      schedule.timesteps.forEach((t, i) => {
        expect(t).toBeCloseTo(timesteps[i], 8);
      });
      expect(schedule.startScale / startScale).toBeCloseTo(1, 9);
      let sample: Latent = Float64Array.from(reference.start, (x) => x * schedule.startScale);
      for (let i = 0; i < steps; i++) {
        const output = network(schedule.scaleInput(sample, i), schedule.timesteps[i]);
        const prediction = schedule.predict(output, sample, i);
        sample = schedule.step(prediction, sample, i, () => Float64Array.from(reference.draws[i]));
        // Sums are ordered otherwise, and σ → ᾱ → σ loses a few bits where little of the picture is left.
        const apart = sample.map((x, k) => Math.abs(x - path[i][k]) / Math.max(1, Math.abs(path[i][k])));
        expect(Math.max(...apart)).toBeLessThan(2e-8);
      }
    });
  },
);

describe('a Gaussian picture, whose exact denoiser is known', () => {
  const mean = [0.6, -0.3];
  const deviation = [0.5, 0.2];
  const samples = 1200;
  // Every training step: the fewer, the more variance DDPM's and Euler's first-order steps lose.
  const steps = 1000;
  const schedule = { beta_schedule: 'scaled_linear', beta_start: 0.00085, beta_end: 0.012, clip_sample: false };

  /** E[x₀ | x] for x = a x₀ + s ε. */
  const cleanOf = (x: number, k: number, a: number, s: number) =>
    mean[k] + ((a * deviation[k] ** 2) / ((a * deviation[k]) ** 2 + s ** 2)) * (x - a * mean[k]);

  /** One long vector holds all samples: even places the first variable, odd the second. */
  function sampleAll(walk: Schedule, shares: Float64Array, unscaled: boolean): Latent {
    const random = randomFor(5, 'gaussian');
    const noise = () => Float64Array.from({ length: samples * 2 }, () => random.normal());
    let x: Latent = noise().map((value) => value * walk.startScale);
    walk.timesteps.forEach((t, i) => {
      const low = Math.floor(t);
      const high = Math.min(shares.length - 1, low + 1);
      const sigmaAt = (at: number) => Math.sqrt((1 - shares[at]) / shares[at]);
      const sigma = sigmaAt(low) + (sigmaAt(high) - sigmaAt(low)) * (t - low);
      const [a, s] = unscaled ? [1, sigma] : [1 / Math.hypot(1, sigma), sigma / Math.hypot(1, sigma)];
      const clean = x.map((value, at) => cleanOf(value, at % 2, a, s));
      const epsilon = x.map((value, at) => (value - a * clean[at]) / s);
      x = walk.step(walk.predict(epsilon, x, i), x, i, noise);
    });
    return x;
  }

  it.each(
    schedulers
      // A consistency model's step is exact only for its own distilled network.
      .filter(({ id }) => id !== 'lcm')
      .map(({ id }) => id),
  )('%s samples its mean and covariance', (id) => {
    const config = parseSchedulerConfig({ ...schedule, timestep_spacing: 'trailing' }, 'test');
    const walk = findScheduler(id, 'test').schedule(config, steps);
    const x = sampleAll(walk, signalShares(config), id === 'euler');
    const column = (k: number) => Array.from({ length: samples }, (_, i) => x[2 * i + k]);
    const average = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
    const columns = [column(0), column(1)];
    const means = columns.map(average);
    columns.forEach((list, k) => {
      // Four standard errors; the training schedule itself ends at ᾱ = 0.0047, which biases the mean by 0.07 of it at most.
      expect(Math.abs(means[k] - mean[k])).toBeLessThan(
        (4 * deviation[k]) / Math.sqrt(samples) + 0.02 * Math.abs(mean[k]),
      );
      const variance = average(list.map((value) => (value - means[k]) ** 2));
      expect(Math.abs(variance / deviation[k] ** 2 - 1)).toBeLessThan(4 * Math.sqrt(2 / samples) + 0.04);
    });
    const covariance = average(columns[0].map((value, i) => (value - means[0]) * (columns[1][i] - means[1])));
    expect(Math.abs(covariance)).toBeLessThan((4 * deviation[0] * deviation[1]) / Math.sqrt(samples));
  });

  it('notices a step that shrinks the variance', () => {
    const config = parseSchedulerConfig({ ...schedule, timestep_spacing: 'trailing' }, 'test');
    const walk = findScheduler('ddim', 'test').schedule(config, steps);
    const wrong: Schedule = { ...walk, step: (p, s, i, n) => walk.step(p, s, i, n).map((v) => v * 0.999) };
    const x = sampleAll(wrong, signalShares(config), false);
    const first = Array.from({ length: samples }, (_, i) => x[2 * i]);
    const m = first.reduce((a, b) => a + b, 0) / samples;
    const variance = first.reduce((a, b) => a + (b - m) ** 2, 0) / samples;
    expect(Math.abs(variance / deviation[0] ** 2 - 1)).toBeGreaterThan(4 * Math.sqrt(2 / samples) + 0.04);
  });
});

describe('what is not known', () => {
  it('is one line: a scheduler, a field of its config', () => {
    expect(() => findScheduler('HeunDiscreteScheduler', 'scheduler_config.json')).toThrow(
      /asks for the scheduler 'HeunDiscreteScheduler', which is not one of DDPMScheduler.*--scheduler/,
    );
    expect(() => parseSchedulerConfig({ prediction_type: 'flow' }, 'scheduler_config.json')).toThrow(
      /for prediction_type in scheduler_config.json but received 'flow'/,
    );
  });
});
