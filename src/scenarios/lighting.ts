import { z } from 'zod';
import { applyTable, gammaTable } from '../image/colour.ts';
import { createRaster, type Raster } from '../image/raster.ts';
import type { Region } from '../image/region.ts';
import { defineScenario, orRandom, positive, region } from './define.ts';
import { exposureTable, fromLinear, toLinear } from './exposure.ts';
import { regionOf } from './region.ts';

export const lighting = defineScenario({
  id: 'lighting',
  family: 'industrial',
  part: 'shift',
  title: 'Lighting',
  description:
    'Light falling off across the frame, over- or under-exposure (both in linear light), or a gamma curve; our own recipe for what changes between production lines.',
  object: 'changed',
  needs: [],
  params: {
    kind: z.enum(['gradient', 'over', 'under', 'gamma']).describe('what happens to the light').default('gradient'),
    stops: positive()
      .max(8)
      .describe('over, under: stops of light; gradient: stops at the bright and dark end')
      .default(1.5),
    gamma: positive().max(8).describe('gamma: level^(1/gamma), above 1 is brighter').default(0.5),
    angle: orRandom(z.number().min(-360).max(360))
      .describe('gradient: where the light comes from, degrees anticlockwise from the right')
      .default('random'),
    region: region().default('image'),
  },
  apply: (scene, { kind, stops, gamma, angle, region: name }) => {
    const where = regionOf(scene, name);
    const drawn = scene.random.uniform() * 360;
    if (kind === 'gradient') return lightFrom(scene.image, where, angle === 'random' ? drawn : angle, stops);
    const table = kind === 'gamma' ? gammaTable(gamma) : exposureTable(kind === 'over' ? stops : -stops);
    return applyTable(scene.image, where, table);
  },
});

const linear = Float64Array.from({ length: 256 }, (_, level) => toLinear(level));
const lightSteps = 4096;
// The root of the light is looked up, so that dark levels, close together in light, are told apart.
const levels = Uint8Array.from({ length: lightSteps + 1 }, (_, i) => fromLinear((i / lightSteps) ** 2));

/** Exposure rising linearly, in stops, from −stops at one edge or corner to +stops at the opposite one. */
function lightFrom({ width, height, data }: Raster, where: Region | undefined, degrees: number, stops: number): Raster {
  const dx = Math.cos((degrees * Math.PI) / 180);
  const dy = -Math.sin((degrees * Math.PI) / 180);
  const reach = (Math.abs(dx) * (width - 1) + Math.abs(dy) * (height - 1)) / 2 || 1;
  // Stops add up, so the gain is a product of what the column and the row give.
  const gains = (size: number, share: number) =>
    Float64Array.from({ length: size }, (_, i) => 2 ** ((stops * share * (i - (size - 1) / 2)) / reach));
  const byColumn = gains(width, dx);
  const byRow = gains(height, dy);
  const out = data.slice();
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (where && (where.mask.data[i] !== 0) !== (where.side === 'object')) continue;
      const gain = byColumn[x] * byRow[y];
      for (let at = 3 * i; at < 3 * i + 3; at++) {
        const light = linear[data[at]] * gain;
        out[at] = light >= 1 ? 255 : levels[(Math.sqrt(light) * lightSteps + 0.5) | 0];
      }
    }
  }
  return createRaster(width, height, out);
}
