import { doubt, type ObjectPlane } from '../../contracts/annotate/plane.ts';
import { SampleError } from '../../contracts/errors.ts';
import { crop } from '../../image/crop.ts';
import { type Box, grabCut } from '../../image/grabcut/grabcut.ts';
import { boundingBox, largestParts } from '../../image/mask-ops.ts';
import { estimateMatte } from '../../image/matte/matte.ts';
import { createMask, type Mask, type Raster } from '../../image/raster.ts';

/** So much around a box is looked at, as a share of its longer side: enough to learn what the scene looks like. */
const surroundings = 0.35;
const leastMarginPx = 12;
/** Parts smaller than this share of the largest are specks. */
const smallestPart = 0.03;
/** Around the doubt, so that what is sure on either side is seen. */
const sureMarginPx = 24;

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** GrabCut about a box: the box's surroundings alone are cut, so that a small object of a large picture has its pixels. */
export async function cutInBox(image: Raster, [x, y, width, height]: Box, hints?: Uint8Array): Promise<Mask> {
  const margin = Math.max(leastMarginPx, surroundings * Math.max(width, height));
  const frame = frameAround(image, { x, y, width, height }, margin);
  if (frame.width < 2 || frame.height < 2)
    throw new SampleError('other', 'The box lies outside the picture; draw it about the object');
  const part = crop(image, frame.x, frame.y, frame.width, frame.height);
  const box: Box = [x - frame.x, y - frame.y, width, height];
  const isWhole = box[0] <= 0 && box[1] <= 0 && box[0] + width >= part.width && box[1] + height >= part.height;
  const found = await grabCut(part, {
    // A box about everything leaves no scene to learn from.
    ...(isWhole ? {} : { box }),
    ...(hints && { hints: cropPlane(hints, image.width, frame) }),
  });
  return putBack(largestParts(found, { minShare: smallestPart }), image, frame);
}

/** How much of each doubtful pixel is object, 0 to 255, by closed-form matting; 0 elsewhere. */
export function refineDoubt(image: Raster, plane: ObjectPlane): Uint8Array {
  const doubtful = createMask(
    plane.width,
    plane.height,
    plane.data.map((value) => (value === doubt ? 255 : 0)),
  );
  const box = boundingBox(doubtful);
  if (box.width === 0) throw new SampleError('other', 'No doubt is painted; paint it over the edge first');
  const frame = frameAround(image, box, sureMarginPx);
  const data = cropPlane(plane.data, plane.width, frame);
  const matte = estimateMatte(crop(image, frame.x, frame.y, frame.width, frame.height), {
    width: frame.width,
    height: frame.height,
    data: data.map((value) => (value ? 255 : 0)),
    ignore: data.map((value) => (value === doubt ? 255 : 0)),
    edges: 'matte',
  });
  if (!matte)
    throw new SampleError('other', 'Around the doubt there must be some object and some background that are sure');
  const out = new Uint8Array(plane.data.length);
  for (let row = 0, i = 0; row < frame.height; row++)
    for (let column = 0; column < frame.width; column++, i++)
      if (data[i] === doubt) out[(frame.y + row) * plane.width + frame.x + column] = matte.alpha[i];
  return out;
}

function frameAround({ width, height }: Raster, box: Frame, marginPx: number): Frame {
  const [x, y] = [Math.max(0, Math.floor(box.x - marginPx)), Math.max(0, Math.floor(box.y - marginPx))];
  const right = Math.min(width, Math.ceil(box.x + box.width + marginPx));
  const bottom = Math.min(height, Math.ceil(box.y + box.height + marginPx));
  return { x, y, width: right - x, height: bottom - y };
}

function cropPlane(plane: Uint8Array, width: number, frame: Frame): Uint8Array {
  const out = new Uint8Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row++) {
    const from = (frame.y + row) * width + frame.x;
    out.set(plane.subarray(from, from + frame.width), row * frame.width);
  }
  return out;
}

function putBack(part: Mask, { width, height }: Raster, frame: Frame): Mask {
  const out = createMask(width, height);
  for (let row = 0; row < frame.height; row++)
    out.data.set(part.data.subarray(row * frame.width, (row + 1) * frame.width), (frame.y + row) * width + frame.x);
  return out;
}
