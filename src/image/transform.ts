import { fillWith } from './crop.ts';
import { begin, get, put } from './kernels/arena.ts';
import { createMask, createRaster, type Mask, type Raster, type Rgb } from './raster.ts';
import { type Affine, affineNearest, type Plane } from './transform-nearest.ts';

export type { Affine } from './transform-nearest.ts';

export type TransformFilter = 'nearest' | 'bilinear' | 'bicubic';

/** Pillow's PERSPECTIVE: both of the affine pair over g·x + h·y + 1. */
export type Perspective = readonly [...Affine, g: number, h: number];

export interface RotateOptions {
  filter?: TransformFilter;
  /** Colour of what comes in from outside. */
  fill?: Rgb;
  /** Grow the picture so that nothing is cut off. */
  expand?: boolean;
}

export interface SizeOptions {
  /** Size of the output; by default that of the input. */
  width?: number;
  height?: number;
}

export interface WarpOptions extends SizeOptions {
  filter?: TransformFilter;
  fill?: Rgb;
}

/** Anticlockwise about the centre; equal to Pillow's `Image.rotate`. */
export function rotate(
  image: Raster,
  degrees: number,
  { filter = 'nearest', fill = [0, 0, 0], expand = false }: RotateOptions = {},
): Raster {
  return rotatePlane(image, 3, degrees, filter, fill, expand);
}

/** Nearest; what comes in from outside is background. */
export function rotateMask(mask: Mask, degrees: number, { expand = false }: { expand?: boolean } = {}): Mask {
  return both(mask, (plane) => rotatePlane(plane, 1, degrees, 'nearest', [0], expand));
}

export function warpAffine(image: Raster, matrix: Affine, options: WarpOptions = {}): Raster {
  const { filter = 'bilinear', fill = [0, 0, 0], width = image.width, height = image.height } = options;
  return affine(image, 3, matrix, filter, fill, width, height);
}

export function warpPerspective(image: Raster, matrix: Perspective, options: WarpOptions = {}): Raster {
  const { filter = 'bilinear', fill = [0, 0, 0], width = image.width, height = image.height } = options;
  return warp(image, 3, matrix, filter, fill, width, height);
}

export function warpMaskAffine(mask: Mask, matrix: Affine, { width, height }: SizeOptions = {}): Mask {
  return both(mask, (plane) => affine(plane, 1, matrix, 'nearest', [0], width ?? mask.width, height ?? mask.height));
}

export function warpMaskPerspective(mask: Mask, matrix: Perspective, { width, height }: SizeOptions = {}): Mask {
  return both(mask, (plane) => warp(plane, 1, matrix, 'nearest', [0], width ?? mask.width, height ?? mask.height));
}

function both(mask: Mask, change: (plane: Plane) => Plane): Mask {
  const { width, height, data } = change(mask);
  if (!mask.ignore) return createMask(width, height, data);
  return { width, height, data, ignore: change({ ...mask, data: mask.ignore }).data };
}

function rotatePlane(
  source: Plane,
  channels: 1 | 3,
  degrees: number,
  filter: TransformFilter,
  fill: readonly number[],
  expand: boolean,
): Plane {
  const { width, height } = source;
  const angle = ((degrees % 360) + 360) % 360;
  if (angle === 0) return { width, height, data: new Uint8Array(source.data) };
  if (angle === 180 || ((angle === 90 || angle === 270) && (expand || width === height))) {
    return quarterTurns(source, channels, angle / 90);
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
  return affine(source, channels, matrix, filter, fill, outWidth, outHeight);
}

const round15 = (x: number) => Number(x.toFixed(15));
const apply = ([a, b, c, d, e, f]: Affine, x: number, y: number) => [a * x + b * y + c, d * x + e * y + f] as const;

function quarterTurns({ width, height, data }: Plane, channels: 1 | 3, turns: number): Plane {
  const [w, h] = turns === 2 ? [width, height] : [height, width];
  const out = new Uint8Array(data.length);
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const sx = turns === 2 ? width - 1 - x : turns === 1 ? width - 1 - y : y;
      const sy = turns === 2 ? height - 1 - y : turns === 1 ? x : height - 1 - x;
      const from = (sy * width + sx) * channels;
      for (let c = 0; c < channels; c++) out[to++] = data[from + c];
    }
  }
  return { width: w, height: h, data: out };
}

function affine(
  source: Plane,
  channels: 1 | 3,
  matrix: Affine,
  filter: TransformFilter,
  fill: readonly number[],
  width: number,
  height: number,
): Plane {
  if (filter !== 'nearest') return warp(source, channels, [...matrix, 0, 0], filter, fill, width, height);
  return affineNearest(source, channels, matrix, blank(channels, fill, width, height));
}

function warp(
  source: Plane,
  channels: 1 | 3,
  matrix: Perspective,
  filter: TransformFilter,
  fill: readonly number[],
  width: number,
  height: number,
): Plane {
  const kernel = begin();
  const from = put(source.data);
  const to = put(blank(channels, fill, width, height).data);
  const kind = { nearest: 0, bilinear: 1, bicubic: 2 }[filter];
  const projective = matrix[6] === 0 && matrix[7] === 0 ? 0 : 1;
  kernel.warp(from, source.width, source.height, channels, to, width, height, kind, projective, ...matrix);
  return { width, height, data: get(to, width * height * channels) };
}

function blank(channels: 1 | 3, fill: readonly number[], width: number, height: number): Plane {
  if (channels === 1) return createMask(width, height, new Uint8Array(width * height).fill(fill[0]));
  const out = createRaster(width, height);
  fillWith(out.data, fill as unknown as Rgb);
  return out;
}
