import type { MaskSource } from '../../contracts/sample.ts';
import { fillCocoPolygon } from './polygon-coco.ts';
import { fillCircle, fillLabelmePolygon } from './polygon-labelme.ts';
import { rleToPlane } from './rle.ts';

export type DrawnSource = Extract<MaskSource, { kind: 'polygons' | 'rle' }>;

/** A mask given as shapes or run lengths, as a plane of 0 and 255. Throws a plain Error where the run lengths do not fit. */
export function drawMask(source: DrawnSource): Uint8Array {
  const { width, height } = source;
  if (source.kind === 'rle') return rleToPlane(source.counts, width, height);
  const plane = new Uint8Array(width * height);
  const fill = source.rule === 'labelme' ? fillLabelmePolygon : fillCocoPolygon;
  for (const polygon of source.polygons) fill(polygon, width, height, plane);
  for (const circle of source.circles ?? []) fillCircle(circle, width, height, plane);
  return plane;
}
