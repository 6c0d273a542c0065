import { z } from 'zod';
import { compose } from '../image/compose.ts';
import { estimateMatte, hasUncertainEdge, layOver, uncertainPixels } from '../image/matte/matte.ts';
import { createMask, createRaster, type Mask, type Raster, type Rgb } from '../image/raster.ts';
import { giveBackRoom, roomFor } from '../image/spare-room.ts';
import type { Scene, Variant } from './define.ts';

/** What can be lifted off a photograph: where it covers a pixel wholly, `image` is the photograph to the bit. */
export interface SceneObject {
  /** The object's own colours; where it covers a pixel partly, without what the old scene adds to it. */
  readonly image: Raster;
  readonly mask: Mask;
  /** 255: covered wholly. */
  readonly alpha: Uint8Array;
}

/** The object of a photograph; estimated where the mask's edge is uncertain and `edges` asks for it. */
export function objectOf(image: Raster, mask: Mask): SceneObject {
  const matte = hasUncertainEdge(mask) ? estimateMatte(image, mask) : undefined;
  return matte ? { image: matte.colour, mask, alpha: matte.alpha } : { image, mask, alpha: mask.data };
}

/** What a mask's uncertain border counts as in one scenario, whatever the run has it count as. */
export const borders = ['auto', 'with-border', 'without-border'] as const;
export type Border = (typeof borders)[number];

/** A setting of every scenario that puts the object before another background, so that it can be tried both ways. */
export const border = () =>
  z
    .enum(borders)
    .describe(
      'whether the uncertain border of a trimap or soft mask goes with the object; auto: as --border and --edges say',
    )
    .default('auto');

/** The same scenario with another border: it gets the same backgrounds, so that nothing but the border differs. */
export function withoutBorder(name: string): string {
  const [id, settings] = [name.split(':')[0], name.split(':').slice(1).join(':')];
  const kept = settings
    .split('+')
    .filter((setting) => !/^(border=)?(with|without)-border$/.test(setting) && setting !== '');
  return kept.length ? `${id}:${kept.join('+')}` : id;
}

/** What a scenario's name says of the border. */
export const borderOf = (name: string): Border =>
  (/[:+](?:border=)?(with-border|without-border)(?:\+|$)/.exec(name)?.[1] as Border | undefined) ?? 'auto';

/**
 * Those of these scenarios that repeat another one with the mask's uncertain border counted to one side; only the
 * verdict uses them.
 */
export function borderTrials(names: Iterable<string>): Set<string> {
  const all = new Set(names);
  return new Set([...all].filter((name) => borderOf(name) !== 'auto' && all.has(withoutBorder(name))));
}

/** The object laid over another picture of the same size. */
export function pasteOver(object: SceneObject, background: Raster, image: Raster, edge: Border): Raster {
  const { mask } = object;
  if (edge !== 'auto' && (mask.ignore || mask.soft)) return compose(image, background, borderedMask(mask, edge));
  if (object.alpha === mask.data) return compose(image, background, mask);
  return layOver({ alpha: object.alpha, colour: object.image }, background);
}

/** The object, in place, before another background; with another mask where the border is decided otherwise. */
export function beforeBackground(scene: Pick<Scene, 'mask' | 'paste'>, background: Raster, edge: Border): Variant {
  const image = scene.paste(background, edge);
  const mask = borderedMask(scene.mask, edge);
  return mask === scene.mask ? { image } : { image, mask };
}

const decided = { 'with-border': new WeakMap<Mask, Mask>(), 'without-border': new WeakMap<Mask, Mask>() };

/** The mask with its uncertain border decided one way; made once, since several scenarios ask for it. */
export function borderedMask(mask: Mask, edge: Border): Mask {
  if (edge === 'auto') return mask;
  const known = decided[edge].get(mask);
  if (known) return known;
  const uncertain = uncertainPixels(mask);
  if (!uncertain) return mask;
  const made = createMask(mask.width, mask.height, mask.data.slice());
  const inside = edge === 'with-border' ? 255 : 0;
  for (let i = 0; i < uncertain.length; i++) if (uncertain[i]) made.data[i] = inside;
  decided[edge].set(mask, made);
  return made;
}

/** The object before one colour. */
export function pasteOnPlain({ image: { width, height }, paste }: Pick<Scene, 'image' | 'paste'>, colour: Rgb): Raster {
  const [red, green, blue] = colour;
  const background = createRaster(width, height, roomFor(width * height * 3));
  if (red === green && green === blue) background.data.fill(red);
  else for (let i = 0; i < background.data.length; i += 3) background.data.set(colour, i);
  const pasted = paste(background);
  giveBackRoom(background.data);
  return pasted;
}
