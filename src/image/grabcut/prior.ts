import type { Mask } from '../raster.ts';

export type Box = readonly [x: number, y: number, width: number, height: number];

/** OpenCV's marks. */
export const marks = { sureBackground: 0, sureObject: 1, probablyBackground: 2, probablyObject: 3 } as const;

/** Everything outside the box is background, what is inside is probably the object. */
export function priorFromBox(width: number, height: number, [x, y, boxWidth, boxHeight]: Box): Uint8Array {
  const prior = new Uint8Array(width * height).fill(marks.sureBackground);
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, bottom] = [Math.min(width, Math.ceil(x + boxWidth)), Math.min(height, Math.ceil(y + boxHeight))];
  for (let row = top; row < bottom; row++) prior.fill(marks.probablyObject, row * width + left, row * width + right);
  return prior;
}

/** A frame of 5 % is background, an ellipse over the middle tenth certainly object. */
export function priorFromCentre(width: number, height: number): Uint8Array {
  const prior = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(2 * x + 1) / width - 1, (2 * y + 1) / height - 1];
      const radius = Math.hypot(u, v);
      const edge = Math.max(Math.abs(u), Math.abs(v));
      prior[y * width + x] =
        edge > 0.9
          ? marks.sureBackground
          : radius < 0.3
            ? marks.sureObject
            : radius < 0.8
              ? marks.probablyObject
              : marks.probablyBackground;
    }
  }
  return prior;
}

/**
 * Hints for a smaller picture: each small pixel takes the hint of the large pixels in it, the object's before the
 * background's.
 */
export function reduceHints(
  hints: Uint8Array,
  from: { readonly width: number; readonly height: number },
  width: number,
  height: number,
): Uint8Array {
  const small = new Uint8Array(width * height);
  for (let y = 0; y < from.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / from.height) * width;
    for (let x = 0; x < from.width; x++) {
      const hint = hints[y * from.width + x];
      if (!hint) continue;
      const to = row + Math.floor(((x + 0.5) * width) / from.width);
      if (small[to] !== 1) small[to] = hint;
    }
  }
  return small;
}

/** The user's hints overrule what GrabCut found. */
export function heed(mask: Mask, hints: Uint8Array | undefined): Mask {
  if (!hints) return mask;
  for (let i = 0; i < hints.length; i++) if (hints[i]) mask.data[i] = hints[i] === 1 ? 255 : 0;
  return mask;
}
