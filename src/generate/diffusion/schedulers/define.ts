import type { SchedulerConfig } from './config.ts';

/** Numbers of a latent picture, or of any other sample a schedule walks through. */
export type Latent = Float64Array;

/** A noisy sample is signal · clean + noise · ε. */
export interface NoiseLevel {
  readonly signal: number;
  readonly noise: number;
}

export interface Prediction {
  /** x̂₀, what the sample would be without noise. */
  readonly clean: Latent;
  /** ε̂, the noise in it. */
  readonly epsilon: Latent;
}

/** One walk from noise to picture; made anew for every picture, as some remember their last step. */
export interface Schedule {
  /** What the network is told, noisiest first. */
  readonly timesteps: readonly number[];
  /** Pure noise is multiplied by it to make the first sample. */
  readonly startScale: number;
  /** The sample as the network takes it. */
  scaleInput(sample: Latent, index: number): Latent;
  addNoise(clean: Latent, noise: Latent, index: number): Latent;
  predict(output: Latent, sample: Latent, index: number): Prediction;
  /** The prediction that has this clean picture instead. */
  withClean(clean: Latent, sample: Latent, index: number): Prediction;
  /** The next, less noisy sample. `noise` is asked for by schedulers that add new noise. */
  step(prediction: Prediction, sample: Latent, index: number, noise: () => Latent): Latent;
}

export interface Scheduler {
  /** As in `scheduler_config.json` */
  readonly className: string;
  readonly id: string;
  schedule(config: SchedulerConfig, steps: number): Schedule;
}

interface Walk extends Pick<Schedule, 'timesteps' | 'step'> {
  /** One for each timestep, as the schedule keeps its samples. */
  readonly levels: readonly NoiseLevel[];
  readonly startScale?: number;
  readonly clip?: boolean;
}

/** What all schedules share, from their noise levels: how a network's output becomes a clean picture and its noise. */
export function scheduleOf(config: SchedulerConfig, { levels, timesteps, step, startScale = 1, clip }: Walk): Schedule {
  const range = config.clip_sample_range;
  const withClean = (clean: Latent, sample: Latent, index: number): Prediction => {
    const { signal, noise } = levels[index];
    return { clean, epsilon: sample.map((x, i) => (x - signal * clean[i]) / noise) };
  };
  return {
    timesteps,
    startScale,
    step,
    withClean,
    scaleInput(sample, index) {
      const { signal, noise } = levels[index];
      const length = Math.hypot(signal, noise);
      return length === 1 ? sample : sample.map((x) => x / length);
    },
    addNoise(clean, fresh, index) {
      const { signal, noise } = levels[index];
      return clean.map((x, i) => signal * x + noise * fresh[i]);
    },
    predict(output, sample, index) {
      const { signal, noise } = levels[index];
      const clipped = ({ clean, epsilon }: Prediction) =>
        clip ? { clean: clean.map((x) => Math.min(range, Math.max(-range, x))), epsilon } : { clean, epsilon };
      if (config.prediction_type === 'sample') return clipped(withClean(output, sample, index));
      if (config.prediction_type === 'epsilon')
        return clipped({ clean: sample.map((x, i) => (x - noise * output[i]) / signal), epsilon: output });
      // Salimans and Ho (2022): v = α ε − σ x₀ with α² + σ² = 1.
      const length = Math.hypot(signal, noise);
      const a = signal / length;
      const s = noise / length;
      return clipped({
        clean: sample.map((x, i) => (a * x) / length - s * output[i]),
        epsilon: sample.map((x, i) => (s * x) / length + a * output[i]),
      });
    },
  };
}

/** The level of a share of variance that is left: √ᾱ and √(1 − ᾱ). */
export const levelOf = (share: number): NoiseLevel => ({ signal: Math.sqrt(share), noise: Math.sqrt(1 - share) });
