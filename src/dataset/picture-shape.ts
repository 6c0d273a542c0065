import { SampleError } from '../contracts/errors.ts';

/** A picture smaller than this shows no object. */
const smallestSidePx = 4;
/** Longer side to shorter: brought to a network's short side, a narrower strip would be millions of pixels long. */
const narrowest = 64;

/** One rule for `dataset check` and `run`: throws `SampleError` where a picture's shape can show a network nothing. */
export function refuseShape({ width, height }: { width: number; height: number }, file: string): void {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short >= smallestSidePx && long <= narrowest * short) return;
  throw new SampleError(
    'too-small',
    `${file} is ${width} × ${height} pixels, too ${short < smallestSidePx ? 'small' : 'narrow'} to show an object`,
    { file },
  );
}
