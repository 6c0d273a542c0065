import { filterGuided } from '../guided-filter.ts';
import { begin, get, put } from '../kernels/arena.ts';
import { type BoundingBox, boundingBox } from '../mask-ops.ts';
import { createMask, createRaster, type Mask, type Raster } from '../raster.ts';
import { reduceTrimap, solveAlpha } from './closed-form.ts';
import { estimateForeground } from './foreground.ts';

/** An object lifted off its scene: how much of each pixel it covers, and its own colours there. */
export interface Matte {
  /** 255 where the object is sure, 0 where the background is. */
  readonly alpha: Uint8Array;
  /** The photograph's pixels but for those partly covered, which have the object's colour without the scene's. */
  readonly colour: Raster;
}

/** Bands of more pixels are solved in a smaller picture and brought up along the large one's colours. */
const mostUncertain = 20_000;
const marginPx = 8;
const upscaling = { radiusPx: 2, epsilon: 1e-4 };
/** Levels of a soft mask this near to black or white are compression noise. */
const softRange = { low: 16, high: 239 };

/** 255 where a mask does not say whether a pixel is object: a trimap's border, a soft mask's levels between. */
export function uncertainPixels({ ignore, soft }: Mask): Uint8Array | undefined {
  if (!soft) return ignore;
  return soft.map((level, i) => (ignore?.[i] || (level > softRange.low && level < softRange.high) ? 255 : 0));
}

/** Whether a mask leaves anything to estimate. */
export const hasUncertainEdge = ({ edges, ignore, soft }: Mask): boolean =>
  edges === 'matte' && (ignore !== undefined || soft !== undefined);

/**
 * Alpha and the object's own colour in the uncertain band of a trimap (closed-form matting) or of a soft mask (whose levels
 * are taken as they are). Undefined where object or background is nowhere sure, so that there is nothing to go by.
 */
export function estimateMatte(image: Raster, mask: Mask): Matte | undefined {
  const { width, height } = image;
  const { sure, uncertain } = sortPixels(mask);
  if (!sure.object || !sure.background) return undefined;
  const box = around(boundingBox(createMask(width, height, uncertain)), width, height);
  if (box.width === 0) {
    return { alpha: mask.data.slice(), colour: createRaster(width, height, image.data.slice()) };
  }
  const part = cropRaster(image, box);
  const partAlpha = alphaIn(mask, box);
  if (mask.ignore) solveBounded(part, partAlpha, cropPlane(mask.ignore, width, box));
  const own = estimateForeground(part, partAlpha);
  const kernel = begin();
  const found = [put(partAlpha), put(own), box.width, box.height, box.y * width + box.x, width] as const;
  const [levels, colour] = [put(mask.data), put(image.data)];
  kernel.matteWrite(...found, put(uncertain), levels, colour);
  return {
    alpha: get(levels, mask.data.length),
    colour: createRaster(width, height, get(colour, image.data.length)),
  };
}

/** The object over another background: sure pixels to the bit, the others mixed. */
export function layOver({ alpha, colour }: Matte, background: Raster): Raster {
  const kernel = begin();
  const target = put(background.data);
  kernel.layOver(target, put(colour.data), put(alpha), alpha.length);
  return createRaster(background.width, background.height, get(target, background.data.length));
}

/** How much of a pixel a soft mask's level covers. */
const softLevels = Float64Array.from({ length: 256 }, (_, level) =>
  level <= softRange.low ? 0 : level >= softRange.high ? 1 : level / 255,
);

/** 255 where neither object nor background is sure, and whether each is anywhere. */
function sortPixels({ data, ignore, soft }: Mask) {
  const sure = { object: false, background: false };
  const uncertain = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    if (ignore !== undefined && ignore[i] !== 0) {
      uncertain[i] = 255;
      continue;
    }
    const level = soft ? softLevels[soft[i]] : data[i] / 255;
    if (level > 0 && level < 1) uncertain[i] = 255;
    else if (level === 1) sure.object = true;
    else sure.background = true;
  }
  return { sure, uncertain };
}

/** How much the mask says that each pixel of a part is covered. */
function alphaIn({ width, data, ignore, soft }: Mask, box: BoundingBox): Float64Array {
  const out = new Float64Array(box.width * box.height);
  for (let y = 0, to = 0; y < box.height; y++) {
    let i = (box.y + y) * width + box.x;
    for (let x = 0; x < box.width; x++, i++, to++) {
      out[to] = soft && !ignore?.[i] ? softLevels[soft[i]] : data[i] / 255;
    }
  }
  return out;
}

function solveBounded(image: Raster, alpha: Float64Array, uncertain: Uint8Array): void {
  let count = 0;
  for (let i = 0; i < uncertain.length; i++) if (uncertain[i]) count++;
  if (count <= mostUncertain) {
    solveAlpha(image, alpha, uncertain);
    return;
  }
  const scale = Math.sqrt(mostUncertain / count);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const small = reduceTrimap(image, alpha, uncertain, width, height);
  solveAlpha(small.image, small.alpha, small.uncertain);
  const [fx, fy] = [width / image.width, height / image.height];
  const solved = filterGuided(small.image, Float32Array.from(small.alpha), upscaling, {
    image,
    xs: Float64Array.from({ length: image.width }, (_, x) => (x + 0.5) * fx),
    ys: Float64Array.from({ length: image.height }, (_, y) => (y + 0.5) * fy),
    where: uncertain,
  });
  for (let i = 0; i < alpha.length; i++) if (uncertain[i]) alpha[i] = Math.min(1, Math.max(0, solved[i]));
}

function around(box: BoundingBox, width: number, height: number): BoundingBox {
  if (box.width === 0) return box;
  const [x, y] = [Math.max(0, box.x - marginPx), Math.max(0, box.y - marginPx)];
  const right = Math.min(width, box.x + box.width + marginPx);
  const bottom = Math.min(height, box.y + box.height + marginPx);
  return { x, y, width: right - x, height: bottom - y };
}

function cropRaster({ width, data }: Raster, box: BoundingBox): Raster {
  const out = createRaster(box.width, box.height);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * width + box.x) * 3;
    out.data.set(data.subarray(from, from + box.width * 3), y * box.width * 3);
  }
  return out;
}

function cropPlane(plane: Uint8Array, width: number, box: BoundingBox): Uint8Array {
  const out = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * width + box.x;
    out.set(plane.subarray(from, from + box.width), y * box.width);
  }
  return out;
}
