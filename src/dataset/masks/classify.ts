import type { MaskEncoding } from '../../contracts/sample.ts';
import { lookUp } from './levels.ts';
import type { MaskLook } from './look.ts';
import type { RawMask } from './raw.ts';
import { vocIndexOfColour } from './voc-colours.ts';

export const background = 0;
export const border = 1;
export const object = 2;

/** What ImageNet-S calls "ignored" (its README). */
const imagenetSIgnored = 1000;

export interface ClassifyOptions {
  /** The numbers that are the object, where the layout says. */
  readonly values?: readonly number[];
  /** Greys from here on are object. */
  readonly threshold?: number;
}

/** Every pixel as background, border or object. */
export function classify(
  mask: RawMask,
  look: MaskLook,
  encoding: MaskEncoding,
  { values, threshold = 128 }: ClassifyOptions = {},
): Uint8Array {
  if (encoding === 'alpha') return Uint8Array.from(mask.alpha ?? mask.values, (a) => (a >= 128 ? object : background));
  const classOf = classifier(mask, look, encoding, threshold, values);
  const { values: levels } = mask;
  const plane = new Uint8Array(levels.length);
  if (levels instanceof Uint8Array) {
    lookUp(
      levels,
      Uint8Array.from({ length: 256 }, (_, value) => classOf(value)),
      plane,
    );
  } else {
    let last = -1;
    let lastClass = 0;
    for (let i = 0; i < plane.length; i++) {
      if (levels[i] !== last) {
        last = levels[i];
        lastClass = classOf(last);
      }
      plane[i] = lastClass;
    }
  }
  // A transparent pixel of a drawn mask was never drawn.
  if (mask.alpha) for (let i = 0; i < plane.length; i++) if (mask.alpha[i] < 128) plane[i] = background;
  return plane;
}

function classifier(
  mask: RawMask,
  look: MaskLook,
  encoding: MaskEncoding,
  threshold: number,
  values?: readonly number[],
): (value: number) => number {
  const { kind } = mask;
  const chosen = values && new Set(values);
  switch (encoding) {
    case '0/1':
      return (value) => (value > 0 ? object : background);
    case '0/255':
      return (value) => (value >= threshold ? object : background);
    case 'red-on-black': {
      const red = kind === 'index' ? (value: number) => mask.palette?.[3 * value] ?? 0 : (value: number) => value >> 16;
      return (value) => (kind !== 'grey' && red(value) >= 128 ? object : background);
    }
    case 'trimap': {
      const oxford = look.levels.every((level) => level >= 1 && level <= 3);
      return oxford
        ? (value) => (value === 1 ? object : value === 2 ? background : border)
        : (value) => (value >= 192 ? object : value < 64 ? background : border);
    }
    case 'imagenet-s': {
      // id = red + 256 · green.
      const idOf = kind === 'colour' ? (value: number) => (value >> 16) | (value & 0xff00) : (value: number) => value;
      return (value) => {
        const id = idOf(value);
        if (id === imagenetSIgnored) return border;
        return (chosen ? chosen.has(id) : id !== 0) ? object : background;
      };
    }
    default: {
      const indexOf = paletteIndex(mask, look.levels);
      return (value) => {
        const index = indexOf(value);
        if (chosen) return chosen.has(index) ? object : index === 255 ? border : background;
        return index === 0 ? background : index === 255 ? border : object;
      };
    }
  }
}

/** A palette mask's class number: VOC's where its colours are VOC's, else the stored number, with black as 0. */
function paletteIndex({ kind, palette }: RawMask, used: readonly number[]): (value: number) => number {
  if (kind === 'grey') return (value) => value;
  const colourOf = (value: number) =>
    kind === 'colour' || !palette
      ? value
      : (palette[3 * value] << 16) | (palette[3 * value + 1] << 8) | palette[3 * value + 2];
  if (used.every((value) => vocIndexOfColour.has(colourOf(value))))
    return (value) => vocIndexOfColour.get(colourOf(value)) ?? 0;
  if (kind === 'colour') return (value) => (value === 0 ? 0 : 1);
  const black = used.filter((value) => colourOf(value) === 0);
  if (!used.includes(0) && black.length === 1) return (value) => (value === black[0] ? 0 : value);
  return (value) => value;
}
