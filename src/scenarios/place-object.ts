import { SampleError } from '../contracts/errors.ts';
import { type BoundingBox, boundingBox } from '../image/mask-ops.ts';
import { createMask, createRaster, type Mask, type Raster } from '../image/raster.ts';
import { resize, resizePlane } from '../image/resize.ts';
import { rotate } from '../image/transform.ts';
import type { Variant } from './define.ts';
import type { SceneObject } from './paste.ts';

/**
 * An object lifted from its photograph. `colour` is multiplied by `alpha`, so that resampling never mixes in the
 * background it stood on; `box` is where alpha is at least a half, which is what counts as object.
 */
export interface Cutout {
  readonly width: number;
  readonly height: number;
  readonly colour: Uint8Array;
  readonly alpha: Uint8Array;
  /** Coverage by pixels of unknown truth, where the mask has them. */
  readonly ignore?: Uint8Array;
  readonly box: BoundingBox;
}

/** The object's box; an object without pixels costs the sample. */
export function objectBox(mask: Mask): BoundingBox {
  const box = boundingBox(mask);
  if (box.width === 0) throw new SampleError('mask-empty', 'the mask has no object to place');
  return box;
}

/** The object scaled by `factor`: averaged over area when it shrinks, interpolated when it grows, copied at 1. */
export function scaleObject(object: SceneObject, factor: number): Cutout {
  const box = objectBox(object.mask);
  const { width, height, margin, filter, window } = scaledFrame(box, factor);
  const source = lift(object, box, margin);
  const colour = resize(source.colour, width, height, filter, window).data;
  const shrink = (plane: Mask) => resizePlane(plane, 1, width, height, filter, window);
  const alpha = shrink(source.alpha);
  const ignore = source.ignore && shrink(source.ignore);
  return { width, height, colour, alpha, ignore, box: solidBox(width, height, alpha) };
}

/** Object pixels, those at least half covered, of the object scaled by a factor. */
export function areaWhenScaled({ image, mask, alpha }: SceneObject): (factor: number) => number {
  const box = objectBox(mask);
  return (factor) => {
    const { width, height, margin, filter, window } = scaledFrame(box, factor);
    const scaled = resizePlane(cutPlane(alpha, image.width, box, margin), 1, width, height, filter, window);
    let count = 0;
    for (let i = 0; i < scaled.length; i++) if (scaled[i] >= 128) count++;
    return count;
  };
}

/** The frame of a scaled object, and the part of its source, cut out with a margin, that is seen in it. */
function scaledFrame(box: BoundingBox, factor: number) {
  const width = Math.ceil(box.width * factor) + 2;
  const height = Math.ceil(box.height * factor) + 2;
  // The cutout's frame seen from the source, centred on the box.
  const reach = { x: width / (2 * factor), y: height / (2 * factor) };
  const margin = Math.ceil(Math.max(reach.x - box.width / 2, reach.y - box.height / 2)) + 1;
  const centre = { x: margin + box.width / 2, y: margin + box.height / 2 };
  const window = [centre.x - reach.x, centre.y - reach.y, centre.x + reach.x, centre.y + reach.y] as const;
  return { width, height, margin, window, filter: factor < 1 ? 'box' : 'bilinear' } as const;
}

/** The object turned anticlockwise about the middle of its photograph, as Pillow's `rotate` with bilinear sampling. */
export function rotateObject(object: SceneObject, degrees: number): Cutout {
  objectBox(object.mask);
  const { width, height } = object.image;
  const source = lift(object, { x: 0, y: 0, width, height }, 0);
  const content = coveredBox(width, height, object.alpha, 1);
  const colour = rotate(source.colour, degrees, { filter: 'bilinear', content }).data;
  const covers = pack(source.alpha.data, source.ignore?.data);
  const turned = rotate(createRaster(width, height, covers), degrees, { filter: 'bilinear', content }).data;
  const alpha = channel(turned, 0);
  const ignore = source.ignore && channel(turned, 1);
  return { width, height, colour, alpha, ignore, box: solidBox(width, height, alpha) };
}

/** Two planes as two channels of one picture, so that they are turned in one go. */
function pack(alpha: Uint8Array, ignore?: Uint8Array): Uint8Array {
  const out = new Uint8Array(alpha.length * 3);
  for (let i = 0, to = 0; i < alpha.length; i++, to += 3) out[to] = alpha[i];
  if (ignore) for (let i = 0, to = 1; i < ignore.length; i++, to += 3) out[to] = ignore[i];
  return out;
}

function channel(data: Uint8Array, which: number): Uint8Array {
  const out = new Uint8Array(data.length / 3);
  for (let i = 0, from = which; i < out.length; i++, from += 3) out[i] = data[from];
  return out;
}

/** A cutout turned anticlockwise about its own middle, in a frame that holds all of it. */
export function turnCutout({ width, height, colour, alpha, ignore }: Cutout, degrees: number): Cutout {
  const side = Math.ceil(Math.hypot(width, height)) + 2;
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)];
  const turn = (pixels: Uint8Array): Uint8Array => {
    const framed = createRaster(side, side);
    for (let y = 0; y < height; y++)
      framed.data.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), ((y + top) * side + left) * 3);
    return rotate(framed, degrees, { filter: 'bilinear' }).data;
  };
  const covers = turn(pack(alpha, ignore));
  const turned = channel(covers, 0);
  return {
    width: side,
    height: side,
    colour: turn(colour),
    alpha: turned,
    ...(ignore && { ignore: channel(covers, 1) }),
    box: solidBox(side, side, turned),
  };
}

/** Puts a cutout's top-left corner at (x, y) of the background; what falls outside is cut off. */
export function place(cutout: Cutout, background: Raster, x: number, y: number): Variant {
  const { width, height, colour, alpha, ignore } = cutout;
  const { width: frameWidth, height: frameHeight, data: under } = background;
  const image = under.slice();
  const solid = new Uint8Array(frameWidth * frameHeight);
  const unknown = ignore && new Uint8Array(frameWidth * frameHeight);
  const [left, right] = [Math.max(0, -x), Math.min(width, frameWidth - x)];
  for (let v = Math.max(0, -y); v < Math.min(height, frameHeight - y); v++) {
    let from = v * width + left;
    let to = (v + y) * frameWidth + left + x;
    for (let u = left; u < right; u++, from++, to++) {
      const a = alpha[from];
      if (a === 0) continue;
      if (a >= 128) solid[to] = 255;
      if (unknown && ignore[from] >= 128) unknown[to] = 255;
      for (let c = 0; c < 3; c++) {
        const level = colour[from * 3 + c];
        image[to * 3 + c] =
          a === 255 ? level : Math.min(255, Math.round(level + ((255 - a) * under[to * 3 + c]) / 255));
      }
    }
  }
  return {
    image: createRaster(frameWidth, frameHeight, image),
    mask: { ...createMask(frameWidth, frameHeight, solid), ...(unknown && { ignore: unknown }) },
  };
}

/** The offset nearest to the wanted one that keeps the solid part of a cutout inside the frame. */
export function keepInside({ box }: Cutout, frame: Raster, x: number, y: number): { x: number; y: number } {
  const within = (wanted: number, low: number, high: number) =>
    high < low ? Math.round((low + high) / 2) : Math.min(Math.max(wanted, low), high);
  return {
    x: within(x, -box.x, frame.width - box.x - box.width),
    y: within(y, -box.y, frame.height - box.y - box.height),
  };
}

const solidBox = (width: number, height: number, alpha: Uint8Array) => coveredBox(width, height, alpha, 128);

/** Around what is covered by so much at least; all zero where nothing is. */
function coveredBox(width: number, height: number, alpha: Uint8Array, least: number): BoundingBox {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let first = 0;
    while (first < width && alpha[row + first] < least) first++;
    if (first === width) continue;
    let last = width - 1;
    while (alpha[row + last] < least) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
  }
  if (bottom < 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

interface Lifted {
  readonly colour: Raster;
  readonly alpha: Mask;
  readonly ignore?: Mask;
}

/** Colour on black and alpha of a part of the photograph, with an empty margin around it. */
function lift({ image, mask, alpha: cover }: SceneObject, box: BoundingBox, margin: number): Lifted {
  const alpha = cutPlane(cover, image.width, box, margin);
  const { width, height } = alpha;
  const [levels, unknown] = [image.data, mask.ignore];
  const colour = new Uint8Array(width * height * 3);
  const ignore = unknown && new Uint8Array(width * height);
  for (let y = 0; y < box.height; y++) {
    let from = (box.y + y) * image.width + box.x;
    let to = (y + margin) * width + margin;
    for (let x = 0; x < box.width; x++, from++, to++) {
      const covered = cover[from];
      if (covered === 0) continue;
      if (ignore && unknown[from]) ignore[to] = 255;
      for (let c = 0; c < 3; c++) {
        const level = levels[from * 3 + c];
        colour[to * 3 + c] = covered === 255 ? level : Math.round((level * covered) / 255);
      }
    }
  }
  return {
    colour: createRaster(width, height, colour),
    alpha,
    ignore: ignore && createMask(width, height, ignore),
  };
}

/** Part of a plane, with an empty margin around it. */
function cutPlane(plane: Uint8Array, stride: number, box: BoundingBox, margin: number): Mask {
  const cut = createMask(box.width + 2 * margin, box.height + 2 * margin);
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * stride + box.x;
    cut.data.set(plane.subarray(from, from + box.width), (y + margin) * cut.width + margin);
  }
  return cut;
}
