import type { Mask } from '../../image/raster.ts';
import { type Autoencoder, coverage, type LatentShape, type Planes } from './autoencoder.ts';
import { guideComplexity } from './complexity-guidance.ts';
import type { Denoiser } from './denoiser.ts';
import type { Latent, Schedule } from './schedulers/define.ts';
import type { Conditioning } from './text/encode.ts';

export interface Start {
  readonly planes: Planes;
  /** Pixels of 255 are kept: their latents stay those of the picture, noised as much as the rest. */
  readonly keep?: Mask;
  /** Share of the steps that is taken, 0 to 1. */
  readonly strength: number;
}

export interface SampleOptions {
  readonly autoencoder: Autoencoder;
  readonly denoiser: Denoiser;
  readonly schedule: Schedule;
  readonly shape: LatentShape;
  readonly prompt: Conditioning;
  readonly negative?: Conditioning;
  readonly guidance: number;
  readonly noise: (length: number) => Latent;
  /** Pure noise to start from instead of the source's. */
  readonly startNoise?: Latent;
  readonly start?: Start;
  /** Moves the background's mean Fourier amplitude down (negative) or up; 0 leaves it to the model. */
  readonly lambda: number;
  readonly signal?: AbortSignal;
  readonly onStep?: (share: number, latent: Latent) => void;
}

/** At these shares of the way the kept pixels are pasted onto what is painted so far and encoded again. */
const repasteAt = [0.5, 0.8];
/** From here on only latents that lie wholly on the object are kept: the model joins both sides of the edge. */
const freeEdgeFrom = 0.7;

/** The walk from noise to a latent picture: text to image, image to image, inpainting and blending are the same loop. */
export async function sampleLatent(options: SampleOptions): Promise<Latent> {
  const { autoencoder, denoiser, schedule, shape, start, lambda, noise } = options;
  const steps = schedule.timesteps.length;
  const length = shape.channels * shape.width * shape.height;
  const fresh = () => noise(length);
  const first = start ? firstStep(steps, start.strength) : 0;
  let original = start && (await autoencoder.encode(start.planes));
  if (original && first >= steps) return original;
  const begin = options.startNoise ?? fresh();
  const pure = begin.map((x) => x * schedule.startScale);
  let sample = original && first > 0 ? schedule.addNoise(original, begin, first) : pure;

  const shares = start?.keep && coverage(start.keep, autoencoder.factor);
  const extra = denoiser.channels > 2 * shape.channels ? await inpaintingChannels(options, shares) : undefined;
  // An inpainting network is told what to keep; any other is held to it.
  const held = extra ? undefined : shares;
  const guideFrom = first + Math.floor(guidedFrom * (steps - first));
  const repastes = new Set(repasteAt.map((share) => first + Math.round(share * (steps - first))));

  for (let index = first; index < steps; index++) {
    options.signal?.throwIfAborted();
    const output = await denoiser.predict({
      sample: schedule.scaleInput(sample, index),
      timestep: schedule.timesteps[index],
      shape,
      prompt: options.prompt,
      negative: options.negative,
      guidance: options.guidance,
      extra,
    });
    let prediction = schedule.predict(output, sample, index);
    if (lambda !== 0 && index >= guideFrom) {
      const guided = await guideComplexity({
        autoencoder,
        shape,
        clean: prediction.clean,
        object: start?.keep,
        amplitude: (lambda / (steps - guideFrom)) * amplitudePerLambda,
      });
      prediction = schedule.withClean(guided, sample, index);
    }
    if (held && start?.keep && original && repastes.has(index))
      original = await repaste(autoencoder, shape, prediction.clean, start.planes, start.keep);
    sample = schedule.step(prediction, sample, index, fresh);
    if (held && original) {
      const last = index + 1 === steps;
      const kept = last ? original : schedule.addNoise(original, begin, index + 1);
      const whole = index + 1 - first > freeEdgeFrom * (steps - first);
      sample = mix(sample, kept, held, whole ? 0.999 : 0.5);
    }
    options.onStep?.((index + 1 - first) / (steps - first), sample);
  }
  return sample;
}

/** Of the mean amplitude of a picture in [0, 1], asked for in all by λ = 1; the model undoes most of it. */
const amplitudePerLambda = 3.6;
/** Before this share of the way the predicted picture is a blur that has no complexity to move. */
const guidedFrom = 1 / 3;

/** diffusers' rule: the last `strength` of the steps are taken. */
export const firstStep = (steps: number, strength: number): number =>
  steps - Math.min(steps, Math.floor(steps * strength));

function mix(painted: Latent, kept: Latent, shares: Float64Array, threshold: number): Latent {
  return painted.map((value, i) => (shares[i % shares.length] >= threshold ? kept[i] : value));
}

/** The object on what is painted so far, as latents: those at its edge then know the new background, not the old one. */
async function repaste(
  autoencoder: Autoencoder,
  shape: LatentShape,
  clean: Latent,
  object: Planes,
  keep: Mask,
): Promise<Latent> {
  const painted = await autoencoder.decode(clean, shape);
  const pixels = keep.data.length;
  const data = painted.data.map((value, i) =>
    keep.data[i % pixels] ? object.data[i] : Math.min(1, Math.max(-1, value)),
  );
  return autoencoder.encode({ ...painted, data });
}

/** What an inpainting network takes beside the sample: where to paint, and the latents of the picture with a grey hole. */
async function inpaintingChannels(
  { autoencoder, start, shape }: SampleOptions,
  shares: Float64Array | undefined,
): Promise<Latent> {
  const area = shape.width * shape.height;
  const blank: Planes = {
    width: shape.width * autoencoder.factor,
    height: shape.height * autoencoder.factor,
    data: new Float32Array(3 * area * autoencoder.factor ** 2),
  };
  const keep = start?.keep;
  const holed = start
    ? { ...start.planes, data: start.planes.data.map((value, i) => (keep?.data[i % keep.data.length] ? value : 0)) }
    : blank;
  const masked = await autoencoder.encode(holed);
  const paint = Float64Array.from({ length: area }, (_, i) => ((shares?.[i] ?? 0) >= 0.5 ? 0 : 1));
  return Float64Array.from([...paint, ...masked]);
}
