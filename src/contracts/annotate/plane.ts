/** Which object each pixel belongs to: 0 background, 1 to `mostObjects` an object, `doubt` undecided. The picture's size. */
export interface ObjectPlane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export const background = 0;
export const mostObjects = 200;
export const doubt = 255;

/** Pixels from `left`, `top` up to but without `right`, `bottom`. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const nothing: Rect = { left: 0, top: 0, right: 0, bottom: 0 };
export const isNothing = ({ left, top, right, bottom }: Rect): boolean => right <= left || bottom <= top;

export const createPlane = (width: number, height: number): ObjectPlane => ({
  width,
  height,
  data: new Uint8Array(width * height),
});

export function joinRects(a: Rect, b: Rect): Rect {
  if (isNothing(a)) return b;
  if (isNothing(b)) return a;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** The whole pixels of a rectangle that lie in the picture. */
export function clipRect({ width, height }: ObjectPlane, { left, top, right, bottom }: Rect): Rect {
  const rect = {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
  return isNothing(rect) ? nothing : rect;
}

export function copyRect({ width, data }: ObjectPlane, { left, top, right, bottom }: Rect): Uint8Array {
  const out = new Uint8Array(Math.max(0, right - left) * Math.max(0, bottom - top));
  for (let y = top, at = 0; y < bottom; y++, at += right - left)
    out.set(data.subarray(y * width + left, y * width + right), at);
  return out;
}

export function pasteRect({ width, data }: ObjectPlane, { left, top, right, bottom }: Rect, pixels: Uint8Array): void {
  for (let y = top, at = 0; y < bottom; y++, at += right - left)
    data.set(pixels.subarray(at, at + right - left), y * width + left);
}
