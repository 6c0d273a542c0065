import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { mirror } from './shared/border.ts';
import { diskKernel, type Kernel } from './shared/disk.ts';
import { toLevel } from './shared/levels.ts';

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
  const plans = Array.from({ length: radius + 1 }, (_, distance) => intervals(kernel, radius - distance));
  const out = createRaster(width, height);
  const length = width * 3;
  const slots = Math.min(height, kernel.side);
  const running = Array.from({ length: slots }, () => new Int32Array((width + kernel.side) * 3));
  const row = (y: number) => running[mirror(y, height) % slots];
  const pair = new Int32Array((width + kernel.side) * 3);
  const sums = new Float64Array(length);
  const columns = Int32Array.from({ length: width + 2 * radius }, (_, i) => mirror(i - radius, width) * 3);
  let next = 0;
  for (let y = 0; y < height; y++) {
    for (; next < Math.min(height, y + radius + 1); next++)
      runningSums(data, next * length, columns, running[next % slots]);
    sums.fill(0);
    for (let distance = 0; distance <= radius; distance++) {
      const above = row(y - distance);
      const below = row(y + distance);
      if (plans[distance].length === 0) continue;
      if (distance === 0) pair.set(above);
      else for (let i = 0; i < pair.length; i++) pair[i] = above[i] + below[i];
      addIntervals(sums, pair, plans[distance], radius);
    }
    for (let i = 0, j = y * length; i < length; i++, j++) out.data[j] = toLevel(sums[i] / 255);
  }
  return out;
}

interface Interval {
  readonly reach: number;
  readonly weight: number;
}

/** Two at a time, to read and write the sums half as often. */
function addIntervals(sums: Float64Array, running: Int32Array, intervals: readonly Interval[], radius: number): void {
  const { length } = sums;
  const none = { reach: 0, weight: 0 };
  for (let k = 0; k < intervals.length; k += 2) {
    const { reach, weight } = intervals[k];
    const { reach: nextReach, weight: nextWeight } = intervals[k + 1] ?? none;
    const left = (radius - reach) * 3;
    const right = (radius + reach + 1) * 3;
    const nextLeft = (radius - nextReach) * 3;
    const nextRight = (radius + nextReach + 1) * 3;
    for (let i = 0; i < length; i++) {
      const first = (running[right + i] - running[left + i]) * weight;
      sums[i] += first + (running[nextRight + i] - running[nextLeft + i]) * nextWeight;
    }
  }
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

/** For each channel the sum of all pixels before, the row being continued beyond both edges by its mirror image. */
function runningSums(data: Uint8Array, offset: number, columns: Int32Array, out: Int32Array): void {
  for (let i = 0; i < columns.length; i++) {
    const from = offset + columns[i];
    const to = i * 3;
    out[to + 3] = out[to] + data[from];
    out[to + 4] = out[to + 1] + data[from + 1];
    out[to + 5] = out[to + 2] + data[from + 2];
  }
}

export const defocusBlur = defineCorruption({
  id: 'defocus-blur',
  title: 'Defocus blur',
  description: 'Every point spread to an even disk, as by a lens out of focus (ImageNet-C).',
  severities: defocusBlurSettings,
  corrupt: defocus,
});
