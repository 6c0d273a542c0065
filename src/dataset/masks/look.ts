import { histogram } from './levels.ts';
import type { RawMask } from './raw.ts';

/** What one mask file holds, in a few numbers: enough to tell its encoding. */
export interface MaskLook {
  readonly kind: RawMask['kind'];
  /** Distinct values, ascending; cut off after `mostLevels`. */
  readonly levels: readonly number[];
  /** More values than any label map has: a photograph, a JPEG or a soft mask. */
  readonly many: boolean;
  /** Share of pixels at either end of the scale (within 12 levels of 0 or 255); of colours, those that are red on black. */
  readonly clearShare: number;
  /** Black and white with a seam between them: drawn with antialiasing, saved as JPEG, or a model's output. */
  readonly soft: boolean;
  /** Whether the alpha channel tells two regions apart that the colours do not. */
  readonly alphaDecides: boolean;
  readonly hasAlpha: boolean;
  /** Palette colours of the levels, 0xRRGGBB, for `index`. */
  readonly colours?: readonly number[];
}

const mostLevels = 300;

export function lookAt(mask: RawMask): MaskLook {
  const { kind, values, alpha } = mask;
  const counts = countLevels(values);
  const many = counts === undefined;
  const levels = counts ? [...counts.keys()].sort((a, b) => a - b) : [];
  const clear = (value: number) =>
    kind === 'colour' ? ((value >> 8) & 255) < 48 && (value & 255) < 48 : value <= 12 || (value >= 243 && value <= 255);
  let clearPixels = 0;
  if (counts) for (const [value, count] of counts) clearPixels += clear(value) ? count : 0;
  else for (const value of values) clearPixels += clear(value) ? 1 : 0;
  const palette = mask.palette;
  const clearShare = clearPixels / values.length;
  return {
    kind,
    levels,
    many,
    clearShare,
    soft: kind === 'grey' && ((clearShare >= 0.75 && hasSeam(levels)) || isSteppedGrey(levels)),
    hasAlpha: alpha !== undefined,
    alphaDecides: alpha !== undefined && alphaDecides(mask, alpha),
    ...(kind === 'index' && {
      colours: levels.map((index) =>
        palette ? (palette[3 * index] << 16) | (palette[3 * index + 1] << 8) | palette[3 * index + 2] : 0,
      ),
    }),
  };
}

/** At equal steps from black to white, a few of them: a mask of so many opacities. Class numbers are small and uneven. */
export const onGreySteps = (levels: readonly number[]): boolean =>
  [3, 4, 5, 6, 7, 8].some((steps) =>
    levels.every((level) => {
      const step = Math.round((level * steps) / 255);
      return step === 0 || step === steps
        ? level === 0 || level === 255
        : Math.abs(level - (255 * step) / steps) <= 1.5;
    }),
  );
const isSteppedGrey = (levels: readonly number[]) =>
  levels.length >= 4 && levels[0] === 0 && levels.at(-1) === 255 && onGreySteps(levels);

/** Levels of white that are not quite 255, or many between black and white; a label map has few and starts at 1. */
function hasSeam(levels: readonly number[]): boolean {
  const between = levels.filter((level) => level > 12 && level < 243).length;
  const nearlyWhite = levels.filter((level) => level >= 243 && level < 255).length;
  return (
    (levels.at(-1) ?? 0) >= 243 && (levels.at(-1) ?? 0) <= 255 && (between >= 8 || (nearlyWhite > 0 && between === 0))
  );
}

function countLevels(values: RawMask['values']): Map<number, number> | undefined {
  const counts = new Map<number, number>();
  if (values instanceof Uint8Array) {
    const table = histogram(values);
    for (let value = 0; value < 256; value++) if (table[value]) counts.set(value, table[value]);
    return counts;
  }
  let last = -1;
  let run = 0;
  const flush = () => run && counts.set(last, (counts.get(last) ?? 0) + run);
  for (let i = 0; i < values.length; i++) {
    if (values[i] === last) {
      run++;
      continue;
    }
    flush();
    if (counts.size > mostLevels) return undefined;
    last = values[i];
    run = 1;
  }
  flush();
  return counts;
}

/** Transparent and opaque pixels, and the opaque ones not themselves black and one other colour. */
function alphaDecides(mask: RawMask, alpha: Uint8Array): boolean {
  const seen = new Set<number>();
  let clear = false;
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] < 128) clear = true;
    else if (seen.size < 3) seen.add(mask.values[i]);
  }
  if (!clear) return false;
  return !(seen.size === 2 && seen.has(0));
}
