import { fft2, inverseFft2 } from '../../image/fft.ts';
import type { Mask } from '../../image/raster.ts';
import type { Planes } from './autoencoder.ts';

/**
 * The gradient, by pixel and channel, of the background's mean Fourier amplitude, pixels in [0, 1] (facts of ImageNet-E).
 * The object's place counts as the background's mean colour, so that neither the object nor its outline's contrast
 * decides the number. With L = mean |X|, dL/dx is the inverse transform of the phases X / |X| over the three channels: a
 * picture whose every frequency is as strong as the others and lies where it lies in x. The mean colour under the object
 * is held fixed.
 */
export function amplitudeGradient(planes: Planes, object?: Mask): Float64Array {
  const { width, height } = planes;
  const pixels = width * height;
  const gradient = new Float64Array(pixels * 3);
  for (let c = 0; c < 3; c++) {
    const spectrum = fft2(backgroundPlane(planes, c, object), width, height);
    const { real, imaginary } = spectrum;
    for (let i = 0; i < real.length; i++) {
      const length = Math.hypot(real[i], imaginary[i]);
      if (length < 1e-12) continue;
      real[i] /= length;
      imaginary[i] /= length;
    }
    const plane = inverseFft2(spectrum);
    for (let i = 0; i < pixels; i++) if (!object?.data[i]) gradient[c * pixels + i] = plane[i] / 3;
  }
  return gradient;
}

function backgroundPlane({ data, width, height }: Planes, channel: number, object?: Mask): Float64Array {
  const pixels = width * height;
  const plane = new Float64Array(pixels);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < pixels; i++) {
    if (object?.data[i]) continue;
    sum += plane[i] = (data[channel * pixels + i] + 1) / 2;
    count++;
  }
  const mean = count ? sum / count : 0;
  if (object) for (let i = 0; i < pixels; i++) if (object.data[i]) plane[i] = mean;
  return plane;
}
