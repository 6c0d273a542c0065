import type { Plane } from './fit.ts';

/**
 * Whether a mask may be the wrong way round: it covers most of the picture, all four corners and not the middle. A question,
 * never an inversion: a tunnel or a picture frame is shaped like that.
 */
export function looksInverted({ width, height, data }: Plane, share: number): boolean {
  const at = (x: number, y: number) => data[y * width + x] === 255;
  if (share < 0.5) return false;
  if (!at(0, 0) || !at(width - 1, 0) || !at(0, height - 1) || !at(width - 1, height - 1)) return false;
  // The middle tenth each way, so that a thin limb across the exact centre does not decide.
  const [x0, x1] = middle(width);
  const [y0, y1] = middle(height);
  let covered = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) covered += at(x, y) ? 1 : 0;
  return covered < 0.5 * (x1 - x0) * (y1 - y0);
}

const middle = (size: number) => [
  Math.floor(0.45 * size),
  Math.max(Math.floor(0.45 * size) + 1, Math.ceil(0.55 * size)),
];
