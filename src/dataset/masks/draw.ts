import type { MaskSource } from '../../contracts/sample.ts';
import { fillCocoPolygon } from './polygon-coco.ts';
import { fillCircle, fillLabelmePolygon } from './polygon-labelme.ts';
import { rleToPlane } from './rle.ts';

/** As many pixels as a picture may have by default. */
const mostPixels = 100_000_000;

/** Throws a plain Error where a mask is said to be larger than any picture that is read. */
export function checkSize(width: number, height: number): void {
  const whole = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  if (!whole || width * height > mostPixels) throw new Error(`its size is said to be ${width} × ${height} pixels`);
}

export type DrawnSource = Extract<MaskSource, { kind: 'polygons' | 'rle' }>;

/** A mask given as shapes or run lengths, as a plane of 0 and 255. Throws a plain Error where it cannot be drawn. */
export function drawMask(source: DrawnSource): Uint8Array {
  const { width, height } = source;
  checkSize(width, height);
  if (source.kind === 'rle') return rleToPlane(source.counts, width, height);
  const plane = new Uint8Array(width * height);
  const fill = source.rule === 'labelme' ? fillLabelmePolygon : fillCocoPolygon;
  for (const polygon of source.polygons) fill(polygon, width, height, plane);
  for (const circle of source.circles ?? []) fillCircle(circle, width, height, plane);
  return plane;
}
