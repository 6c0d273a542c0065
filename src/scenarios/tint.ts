import { z } from 'zod';
import { setHue } from '../image/colour.ts';
import { defineScenario, orRandom, region } from './define.ts';
import { regionOf } from './region.ts';

type HueRange = readonly [low: number, high: number];

/**
 * XIMAGENET-12's `image_r`, `image_g` and `image_b`: one hue for the whole background, saturation and value kept. Hues
 * are OpenCV's, half a degree each: 180 is a full turn, which OpenCV's conversion reads as 0.
 */
export const defineTint = <const Id extends string>(
  id: Id,
  colour: string,
  /** One is picked with equal chance, then a hue in it; both ends included. */
  hueRanges: readonly HueRange[],
) =>
  defineScenario({
    id,
    family: 'colour',
    part: 'shift',
    title: `${colour[0].toUpperCase()}${colour.slice(1)} tint of the background`,
    description: `The background's hue becomes one random ${colour} per image, ${hueRanges.map(([low, high]) => `${low}–${high}`).join(' or ')} of OpenCV's 180, as in XIMAGENET-12's code.`,
    object: 'untouched',
    needs: ['mask'],
    params: {
      hue: orRandom(z.number().int().min(0).max(180)).describe("hue on OpenCV's scale of 180").default('random'),
      region: region().default('background'),
    },
    apply: (scene, params) => {
      const [low, high] = scene.random.pick(hueRanges);
      const hue = params.hue === 'random' ? scene.random.integer(low, high) : params.hue;
      return setHue(scene.image, regionOf(scene, params.region), hue % 180);
    },
  });
