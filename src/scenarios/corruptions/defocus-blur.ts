import { begin, get, look, put, take } from '../../image/kernels/arena.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { mirror } from './shared/border.ts';
import { diskKernel, type Kernel } from './shared/disk.ts';

interface Disk {
  readonly radiusPx: number;
  readonly rimSigmaPx: number;
}

export const defocusBlurSettings: Severities<Disk> = [
  { radiusPx: 3, rimSigmaPx: 0.1 },
  { radiusPx: 4, rimSigmaPx: 0.5 },
  { radiusPx: 6, rimSigmaPx: 0.5 },
  { radiusPx: 8, rimSigmaPx: 0.5 },
  { radiusPx: 10, rimSigmaPx: 0.5 },
];

/** The disk's rows are even but for the rim, so each is a few nested intervals, read off running sums. */
export function defocus(image: Raster, { radiusPx, rimSigmaPx }: Disk): Raster {
  const { width, height, data } = image;
  const kernel = diskKernel(radiusPx, rimSigmaPx);
  const radius = (kernel.side - 1) / 2;
  const { runningSums, addRunning, addIntervals, sumsToLevels } = begin();
  const plans = Array.from({ length: radius + 1 }, (_, distance) =>
    placeIntervals(intervals(kernel, radius - distance), radius),
  );
  const length = width * 3;
  const slots = Math.min(height, kernel.side);
  const runningLength = (width + kernel.side) * 3;
  const running = Array.from({ length: slots }, () => take(4 * runningLength));
  const row = (y: number) => running[mirror(y, height) % slots];
  const pair = take(4 * runningLength);
  const columns = put(Int32Array.from({ length: width + 2 * radius }, (_, i) => mirror(i - radius, width) * 3));
  const [bytes, out, sums] = [put(data), take(data.length), take(8 * length)];
  for (let y = 0, next = 0; y < height; y++) {
    for (; next < Math.min(height, y + radius + 1); next++)
      runningSums(bytes + next * length, columns, width + 2 * radius, running[next % slots]);
    look(sums, 8 * length).fill(0);
    plans.forEach(({ pairs, offsets, weights }, distance) => {
      if (pairs === 0) return;
      if (distance > 0) addRunning(row(y - distance), row(y + distance), pair, runningLength);
      addIntervals(sums, distance > 0 ? pair : row(y), offsets, weights, pairs, length);
    });
    sumsToLevels(sums, length, out + y * length);
  }
  return createRaster(width, height, get(out, data.length));
}

interface Interval {
  readonly reach: number;
  readonly weight: number;
}

/** Two at a time, which decides the order of summation. */
function placeIntervals(intervals: readonly Interval[], radius: number) {
  const none = { reach: 0, weight: 0 };
  const even = intervals.length % 2 === 0 ? intervals : [...intervals, none];
  const ends = even.flatMap(({ reach }) => [(radius - reach) * 12, (radius + reach + 1) * 12]);
  const [offsets, weights] = [put(Int32Array.from(ends)), put(Float64Array.from(even, ({ weight }) => weight))];
  return { pairs: even.length / 2, offsets, weights };
}

/** Row `y` of the kernel as a sum of steps, each even over −reach…reach. */
function intervals({ side, weights }: Kernel, y: number): Interval[] {
  const radius = (side - 1) / 2;
  const steps: Interval[] = [];
  for (let reach = 0; reach <= radius; reach++) {
    const at = weights[y * side + radius + reach];
    const next = reach < radius ? weights[y * side + radius + reach + 1] : 0;
    if (at !== next) steps.push({ reach, weight: at - next });
  }
  return steps;
}

export const defocusBlur = defineCorruption({
  id: 'defocus-blur',
  title: 'Defocus blur',
  description: 'Every point spread to an even disk, as by a lens out of focus (ImageNet-C).',
  severities: defocusBlurSettings,
  corrupt: defocus,
});
