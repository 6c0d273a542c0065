import { area, areaShare, type BoundingBox } from '../image/mask-ops.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { resize, resizePlane } from '../image/resize.ts';
import type { SceneObject } from './paste.ts';
import { areaWhenScaled, type Cutout, objectBox, scaleObject } from './place-object.ts';

/** Part of a frame, in pixels and fractions of them. */
type Window = readonly [left: number, top: number, right: number, bottom: number];

/** The part of the frame, of its aspect ratio and `1 / factor` its size, around the box, moved to lie inside the frame. */
export function zoomWindow({ width, height }: Raster, box: BoundingBox, factor: number): Window {
  const w = width / factor;
  const h = height / factor;
  const left = Math.min(Math.max(box.x + box.width / 2 - w / 2, 0), width - w);
  const top = Math.min(Math.max(box.y + box.height / 2 - h / 2, 0), height - h);
  return [left, top, left + w, top + h];
}

/** How far one can zoom in and still see the whole box. */
export const largestZoom = ({ width, height }: Raster, box: BoundingBox): number =>
  Math.max(1, Math.min(width / box.width, height / box.height));

/** A part of the picture enlarged to the frame. */
export const zoomImage = (image: Raster, window: Window): Raster =>
  resize(image, image.width, image.height, 'bicubic', window);

/** The same part of the mask; a pixel is object where at least half of it is. */
export function zoomMask(mask: Mask, window: Window): Mask {
  const { width, height } = mask;
  const zoom = (data: Uint8Array) =>
    resizePlane({ width, height, data }, 1, width, height, 'bilinear', window).map((a) => (a >= 128 ? 255 : 0));
  const data = zoom(mask.data);
  return mask.ignore ? { width, height, data, ignore: zoom(mask.ignore) } : { width, height, data };
}

/**
 * Zoom that brings the object's share of the frame closest to `areaShare`, at most the largest. Theirs repeats steps of
 * √(wanted / present) up to fifty times and accepts 0.015; a few steps come within a pixel's worth.
 */
export function zoomForShare(image: Raster, mask: Mask, wanted: number): number {
  const box = objectBox(mask);
  const most = largestZoom(image, box);
  return search(Math.min(most, Math.sqrt(wanted / areaShare(mask))), wanted, (factor) =>
    areaShare(zoomMask(mask, zoomWindow(image, box, Math.min(most, factor)))),
  );
}

/** The object scaled so that it covers `wanted` of the frame. */
export function scaleForShare(object: SceneObject, wanted: number): Cutout {
  const { image, mask } = object;
  const pixels = image.width * image.height;
  const share = area(mask) / pixels;
  if (wanted === share) return scaleObject(object, 1);
  const areaAt = areaWhenScaled(object);
  const factor = search(Math.sqrt(wanted / share), wanted, (f) => areaAt(f) / pixels);
  return scaleObject(object, factor);
}

/** Thin parts of an object thin out or vanish when it shrinks, so the area is not quite the factor squared. */
function search(start: number, wanted: number, shareAt: (factor: number) => number): number {
  let best = { factor: start, error: Number.POSITIVE_INFINITY };
  for (let factor = start, round = 0; round < 8; round++) {
    const share = shareAt(factor);
    const error = Math.abs(share - wanted);
    if (error < best.error) best = { factor, error };
    if (error < 0.0002) break;
    // The object has vanished at this scale, so the next scale is guessed.
    factor *= share > 0 ? Math.sqrt(wanted / share) : 1.5;
  }
  return best.factor;
}
