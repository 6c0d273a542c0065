import { z } from 'zod';
import { defineScenario, orRandom } from './define.ts';
import { warpMirrored } from './warp-mirrored.ts';

const given = (limit: number, what: string) =>
  orRandom(z.number().min(-limit).max(limit)).describe(what).default('random');

/** Half-widths of the uniform ranges drawn from: shares of the frame, degrees, keystone. */
const ranges = { shift: 0.08, rotation: 5, keystone: 0.06 };

export const cameraShift = defineScenario({
  id: 'camera-shift',
  family: 'industrial',
  part: 'shift',
  title: 'Camera shift',
  description:
    'The camera moved, turned and tilted a little: shift within ±8 % of the frame, rotation within ±5°, keystone within ±6 %, each uniform; what comes into view is mirrored at the edge; our own recipe.',
  object: 'moved',
  needs: [],
  params: {
    strength: z.number().min(0).max(4).describe('factor on the ranges drawn from').default(1),
    x: given(0.5, 'how far the picture moves to the right, share of the width'),
    y: given(0.5, 'how far the picture moves down, share of the height'),
    rotation: given(45, 'degrees anticlockwise'),
    pan: given(0.4, 'keystone: magnification of the right edge over the middle'),
    tilt: given(0.4, 'keystone: magnification of the bottom edge over the middle'),
  },
  apply: (scene, { strength, x, y, rotation, pan, tilt }) => {
    const { image, random } = scene;
    const pick = (value: number | 'random', range: number) =>
      value === 'random' ? (2 * random.uniform() - 1) * range * strength : value;
    return warpMirrored(image, scene.hasMask ? scene.mask : undefined, {
      x: pick(x, ranges.shift),
      y: pick(y, ranges.shift),
      rotation: pick(rotation, ranges.rotation),
      pan: pick(pan, ranges.keystone),
      tilt: pick(tilt, ranges.keystone),
    });
  },
});
