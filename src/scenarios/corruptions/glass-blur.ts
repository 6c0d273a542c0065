import type { Random } from '../../contracts/random.ts';
import type { Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { gaussianLevels } from './shared/gaussian.ts';

interface Glass {
  readonly sigmaPx: number;
  readonly reachPx: number;
  readonly rounds: number;
}

export const glassBlurSettings: Severities<Glass> = [
  { sigmaPx: 0.7, reachPx: 1, rounds: 2 },
  { sigmaPx: 0.9, reachPx: 2, rounds: 1 },
  { sigmaPx: 1, reachPx: 2, rounds: 3 },
  { sigmaPx: 1.1, reachPx: 3, rounds: 2 },
  { sigmaPx: 1.5, reachPx: 4, rounds: 2 },
];

/** Blurred, stirred, blurred again. `step(reach)` draws a whole number in [−reach, reach − 1], first for x, then for y. */
export function frostedGlass(
  image: Raster,
  { sigmaPx, reachPx, rounds }: Glass,
  step: (reach: number) => number,
): Raster {
  const stirred = gaussianLevels(image, sigmaPx);
  for (let round = 0; round < rounds; round++) stir(stirred, reachPx, step);
  return gaussianLevels(stirred, sigmaPx);
}

/**
 * In place, from the lower right to the upper left, each pixel takes the colour of one near by. ImageNet-C's code reads
 * as a swap of the two, but on NumPy's views it is a copy: the second assignment reads what the first has written. Its
 * pictures were made so, and so are these.
 */
function stir({ width, height, data }: Raster, reach: number, step: (reach: number) => number): void {
  for (let y = height - reach; y > reach; y--) {
    for (let x = width - reach; x > reach; x--) {
      const fromX = x + step(reach);
      const fromY = y + step(reach);
      const from = (fromY * width + fromX) * 3;
      const to = (y * width + x) * 3;
      data[to] = data[from];
      data[to + 1] = data[from + 1];
      data[to + 2] = data[from + 2];
    }
  }
}

const drawStep = (random: Random) => (reach: number) => Math.floor(random.uniform() * 2 * reach) - reach;

export const glassBlur = defineCorruption({
  id: 'glass-blur',
  title: 'Glass blur',
  description: 'Pixels stirred with their neighbours between two blurs, as through frosted glass (ImageNet-C).',
  severities: glassBlurSettings,
  corrupt: (image, setting, random) => frostedGlass(image, setting, drawStep(random)),
});
