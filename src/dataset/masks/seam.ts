import type { RawMask } from './raw.ts';

/**
 * Mean width, in pixels, of the grey seam of a soft mask: its grey pixels over the length of the outline at half. Steps
 * along rows and columns overestimate the length of a curve of all directions by 4/π.
 */
export function seamWidth({ width, values }: Pick<RawMask, 'width' | 'values'>): number {
  let grey = 0;
  let steps = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value > 16 && value < 239) grey++;
    if (i % width && value >= 128 !== values[i - 1] >= 128) steps++;
    if (i >= width && value >= 128 !== values[i - width] >= 128) steps++;
  }
  return steps ? grey / ((steps * Math.PI) / 4) : 0;
}
