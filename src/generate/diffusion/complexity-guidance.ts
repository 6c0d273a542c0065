import type { Mask } from '../../image/raster.ts';
import type { Autoencoder, LatentShape, Planes } from './autoencoder.ts';
import { amplitudeGradient } from './complexity.ts';
import type { Latent } from './schedulers/define.ts';

export interface Guidance {
  readonly autoencoder: Autoencoder;
  readonly shape: LatentShape;
  /** x̂₀ of this step. */
  readonly clean: Latent;
  readonly object?: Mask;
  /** By how much every frequency of the background is to grow; negative: to shrink. */
  readonly amplitude: number;
}

/**
 * The predicted picture moved along the gradient of its background's mean Fourier amplitude and encoded again. What is
 * added to the latent is the difference that the move makes to its encoding, so that the autoencoder's own loss does not
 * add up over the steps.
 */
export async function guideComplexity({ autoencoder, shape, clean, object, amplitude }: Guidance): Promise<Latent> {
  const planes = await autoencoder.decode(clean, shape);
  const moved = moveAmplitude(planes, amplitude, object);
  const before = await autoencoder.encode(planes);
  const after = await autoencoder.encode(moved);
  return clean.map((value, i) => value + after[i] - before[i]);
}

/** A step of this size along the gradient; the picture stays within its range. */
export function moveAmplitude(planes: Planes, amplitude: number, object?: Mask): Planes {
  const gradient = amplitudeGradient(planes, object);
  // The gradient is of the mean over three channels and of pixels in [0, 1]; planes are in [−1, 1].
  const scale = amplitude * 3 * 2;
  const data = planes.data.map((value, i) => Math.min(1, Math.max(-1, value + scale * gradient[i])));
  return { ...planes, data };
}
