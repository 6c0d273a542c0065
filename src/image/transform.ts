import { fillWith } from './crop.ts';
import { begin, get, put } from './kernels/arena.ts';
import type { BoundingBox } from './mask-ops.ts';
import { createRaster, type Raster, type Rgb } from './raster.ts';
import { type Affine, affineNearest } from './transform-nearest.ts';

export type TransformFilter = 'nearest' | 'bilinear' | 'bicubic';

export interface RotateOptions {
  filter?: TransformFilter;
  /** Colour of what comes in from outside. */
  fill?: Rgb;
  /** Grow the picture so that nothing is cut off. */
  expand?: boolean;
  /** All of the picture that is not of the colour `fill`: the rest need not be looked at. */
  content?: BoundingBox;
}

/** Anticlockwise about the centre; equal to Pillow's `Image.rotate`. */
export function rotate(
  image: Raster,
  degrees: number,
  { filter = 'nearest', fill = [0, 0, 0], expand = false, content }: RotateOptions = {},
): Raster {
  const { width, height } = image;
  const angle = ((degrees % 360) + 360) % 360;
  if (angle === 0) return { width, height, data: new Uint8Array(image.data) };
  if (angle === 180 || ((angle === 90 || angle === 270) && (expand || width === height))) {
    return quarterTurns(image, angle / 90);
  }
  // Operation by operation as in Pillow's Image.py: a different order moves pixels whose source lies on an edge.
  const radians = -(angle * (Math.PI / 180));
  const cos = round15(Math.cos(radians));
  const sin = round15(Math.sin(radians));
  const minusSin = round15(-Math.sin(radians));
  const [x0, y0] = apply([cos, sin, 0, minusSin, cos, 0], -width / 2, -height / 2);
  let matrix: Affine = [cos, sin, x0 + width / 2, minusSin, cos, y0 + height / 2];
  let outWidth = width;
  let outHeight = height;
  if (expand) {
    const corners = [
      apply(matrix, 0, 0),
      apply(matrix, width, 0),
      apply(matrix, width, height),
      apply(matrix, 0, height),
    ];
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    outWidth = Math.ceil(Math.max(...xs)) - Math.floor(Math.min(...xs));
    outHeight = Math.ceil(Math.max(...ys)) - Math.floor(Math.min(...ys));
    const [c, f] = apply(matrix, -(outWidth - width) / 2, -(outHeight - height) / 2);
    matrix = [matrix[0], matrix[1], c, matrix[3], matrix[4], f];
  }
  return affine(image, matrix, filter, blank(fill, outWidth, outHeight), content);
}

const round15 = (x: number) => Number(x.toFixed(15));
const apply = ([a, b, c, d, e, f]: Affine, x: number, y: number) => [a * x + b * y + c, d * x + e * y + f] as const;

function quarterTurns({ width, height, data }: Raster, turns: number): Raster {
  const [w, h] = turns === 2 ? [width, height] : [height, width];
  const out = new Uint8Array(data.length);
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const sx = turns === 2 ? width - 1 - x : turns === 1 ? width - 1 - y : y;
      const sy = turns === 2 ? height - 1 - y : turns === 1 ? x : height - 1 - x;
      const from = (sy * width + sx) * 3;
      for (let c = 0; c < 3; c++) out[to++] = data[from + c];
    }
  }
  return { width: w, height: h, data: out };
}

/** Into `out`, whose pixels stay where the source has none. */
function affine(
  source: Raster,
  matrix: Affine,
  filter: TransformFilter,
  out: Raster,
  content: BoundingBox = { x: 0, y: 0, width: source.width, height: source.height },
): Raster {
  if (filter === 'nearest') return affineNearest(source, matrix, out);
  const { width, height } = out;
  const { left, top, right, bottom } = targetOf(content, matrix, out);
  const kernel = begin();
  const from = put(source.data);
  const to = put(out.data);
  const bicubic = filter === 'bicubic' ? 1 : 0;
  kernel.warp(from, source.width, source.height, to, width, left, top, right, bottom, bicubic, ...matrix);
  return { width, height, data: get(to, width * height * 3) };
}

/** The part of a turned picture that a part of its source can reach, bicubic sampling and rounding included. */
function targetOf(content: BoundingBox, [a, b, c, d, e, f]: Affine, { width, height }: Raster) {
  const reach = 3;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const x of [content.x - reach, content.x + content.width + reach])
    for (const y of [content.y - reach, content.y + content.height + reach]) {
      // Matrices here turn and shift: the inverse is the transposed.
      xs.push(a * (x - c) + d * (y - f));
      ys.push(b * (x - c) + e * (y - f));
    }
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return {
    left: within(Math.floor(Math.min(...xs)) - 1, width),
    top: within(Math.floor(Math.min(...ys)) - 1, height),
    right: within(Math.ceil(Math.max(...xs)) + 1, width),
    bottom: within(Math.ceil(Math.max(...ys)) + 1, height),
  };
}

function blank(fill: Rgb, width: number, height: number): Raster {
  const out = createRaster(width, height);
  fillWith(out.data, fill);
  return out;
}
