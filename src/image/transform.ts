import { fillWith } from './crop.ts';
import { createMask, type Mask, type Raster, type Rgb } from './raster.ts';

export type TransformFilter = 'nearest' | 'bilinear' | 'bicubic';

export interface RotateOptions {
  filter?: TransformFilter;
  fill?: Rgb;
  /** Grow the picture so that nothing is cut off. */
  expand?: boolean;
}

interface WarpOptions {
  filter?: TransformFilter;
  fill?: Rgb;
  width?: number;
  height?: number;
}

/** `[a, b, c, d, e, f]`: output pixel (x, y) takes source (a·x + b·y + c, d·x + e·y + f), as Pillow's AFFINE. */
export type Affine = readonly [number, number, number, number, number, number];
/** Pillow's PERSPECTIVE: the affine pair over g·x + h·y + 1. */
export type Perspective = readonly [number, number, number, number, number, number, number, number];

interface Plane {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Anticlockwise about the centre; equal to Pillow's `Image.rotate`. */
export function rotate(image: Raster, degrees: number, options: RotateOptions = {}): Raster {
  const { filter = 'nearest', fill = [0, 0, 0], expand = false } = options;
  return rotatePlane(image, 3, degrees, filter, fill, expand);
}

/** Nearest; what comes in from outside is background. */
export function rotateMask(mask: Mask, degrees: number, { expand = false }: { expand?: boolean } = {}): Mask {
  const turn = (data: Uint8Array) => rotatePlane({ ...mask, data }, 1, degrees, 'nearest', [0], expand);
  const { width, height, data } = turn(mask.data);
  return mask.ignore ? { width, height, data, ignore: turn(mask.ignore).data } : createMask(width, height, data);
}

export function warpAffine(image: Raster, matrix: Affine, options: WarpOptions = {}): Raster {
  const { filter = 'bilinear', fill = [0, 0, 0], width = image.width, height = image.height } = options;
  return warp(image, 3, width, height, affinePoint(matrix), filter, fill, matrix);
}

export function warpPerspective(image: Raster, matrix: Perspective, options: WarpOptions = {}): Raster {
  const { filter = 'bilinear', fill = [0, 0, 0], width = image.width, height = image.height } = options;
  return warp(image, 3, width, height, perspectivePoint(matrix), filter, fill);
}

export function warpMaskAffine(mask: Mask, matrix: Affine): Mask {
  const move = (data: Uint8Array) =>
    warp({ ...mask, data }, 1, mask.width, mask.height, affinePoint(matrix), 'nearest', [0], matrix).data;
  const data = move(mask.data);
  return mask.ignore ? { ...mask, data, ignore: move(mask.ignore) } : { ...mask, data };
}

export function warpMaskPerspective(mask: Mask, matrix: Perspective): Mask {
  const move = (data: Uint8Array) =>
    warp({ ...mask, data }, 1, mask.width, mask.height, perspectivePoint(matrix), 'nearest', [0]).data;
  const data = move(mask.data);
  return mask.ignore ? { ...mask, data, ignore: move(mask.ignore) } : { ...mask, data };
}

function rotatePlane(
  source: Plane,
  channels: number,
  degrees: number,
  filter: TransformFilter,
  fill: readonly number[],
  expand: boolean,
): Plane {
  const angle = ((degrees % 360) + 360) % 360;
  const { width, height } = source;
  if (angle === 0) return { width, height, data: source.data.slice() };
  if (angle === 180 || ((angle === 90 || angle === 270) && (expand || width === height))) {
    return quarterTurns(source, channels, angle / 90);
  }
  const radians = -((angle * Math.PI) / 180);
  const cos = round15(Math.cos(radians));
  const sin = round15(Math.sin(radians));
  const cx = width / 2;
  const cy = height / 2;
  let matrix: Affine = [cos, sin, cos * -cx + sin * -cy + 0 + cx, -sin, cos, -sin * -cx + cos * -cy + 0 + cy];
  let outWidth = width;
  let outHeight = height;
  if (expand) {
    const corners = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ].map(([x, y]) => affine(matrix, x, y));
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    outWidth = Math.ceil(Math.max(...xs)) - Math.floor(Math.min(...xs));
    outHeight = Math.ceil(Math.max(...ys)) - Math.floor(Math.min(...ys));
    const [c, f] = affine(matrix, -(outWidth - width) / 2, -(outHeight - height) / 2);
    matrix = [matrix[0], matrix[1], c, matrix[3], matrix[4], f];
  }
  return warp(source, channels, outWidth, outHeight, affinePoint(matrix), filter, fill, matrix);
}

const round15 = (x: number) => Number(x.toFixed(15));
const affine = ([a, b, c, d, e, f]: Affine, x: number, y: number) => [a * x + b * y + c, d * x + e * y + f] as const;

type Point = (x: number, y: number, into: Float64Array) => void;

const affinePoint =
  ([a, b, c, d, e, f]: Affine): Point =>
  (x, y, into) => {
    into[0] = a * (x + 0.5) + b * (y + 0.5) + c;
    into[1] = d * (x + 0.5) + e * (y + 0.5) + f;
  };

const perspectivePoint =
  ([a, b, c, d, e, f, g, h]: Perspective): Point =>
  (x, y, into) => {
    const xin = x + 0.5;
    const yin = y + 0.5;
    const below = g * xin + h * yin + 1;
    into[0] = (a * xin + b * yin + c) / below;
    into[1] = (d * xin + e * yin + f) / below;
  };

function quarterTurns({ width, height, data }: Plane, channels: number, turns: number): Plane {
  const [w, h] = turns === 2 ? [width, height] : [height, width];
  const out = new Uint8Array(data.length);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [sx, sy] =
        turns === 2 ? [width - 1 - x, height - 1 - y] : turns === 1 ? [width - 1 - y, x] : [y, height - 1 - x];
      for (let c = 0; c < channels; c++) out[(y * w + x) * channels + c] = data[(sy * width + sx) * channels + c];
    }
  }
  return { width: w, height: h, data: out };
}

function warp(
  { width, height, data }: Plane,
  channels: number,
  outWidth: number,
  outHeight: number,
  point: Point,
  filter: TransformFilter,
  fill: readonly number[],
  _affine?: Affine,
): Plane {
  const out = new Uint8Array(outWidth * outHeight * channels);
  if (channels === 3) fillWith(out, fill as unknown as Rgb);
  else out.fill(fill[0]);
  const at = new Float64Array(2);
  const stride = width * channels;
  const cx = (x: number) => (x < 0 ? 0 : x < width ? x : width - 1);
  const cy = (y: number) => (y < 0 ? 0 : y < height ? y : height - 1);
  for (let y = 0; y < outHeight; y++) {
    for (let x = 0; x < outWidth; x++) {
      point(x, y, at);
      let xin = at[0];
      let yin = at[1];
      if (!(xin >= 0 && xin < width && yin >= 0 && yin < height)) continue;
      const to = (y * outWidth + x) * channels;
      if (filter === 'nearest') {
        const from = Math.trunc(yin) * stride + Math.trunc(xin) * channels;
        for (let c = 0; c < channels; c++) out[to + c] = data[from + c];
        continue;
      }
      xin -= 0.5;
      yin -= 0.5;
      const x0 = Math.floor(xin);
      const y0 = Math.floor(yin);
      const dx = xin - x0;
      const dy = yin - y0;
      for (let c = 0; c < channels; c++) {
        if (filter === 'bilinear') {
          const line = (row: number) => {
            const a = data[row * stride + cx(x0) * channels + c];
            return a + (data[row * stride + cx(x0 + 1) * channels + c] - a) * dx;
          };
          const v1 = line(cy(y0));
          const v2 = y0 + 1 >= 0 && y0 + 1 < height ? line(y0 + 1) : v1;
          out[to + c] = v1 + (v2 - v1) * dy;
        } else {
          const line = (row: number) =>
            cubic(
              data[row * stride + cx(x0 - 1) * channels + c],
              data[row * stride + cx(x0) * channels + c],
              data[row * stride + cx(x0 + 1) * channels + c],
              data[row * stride + cx(x0 + 2) * channels + c],
              dx,
            );
          const v1 = line(cy(y0 - 1));
          const v2 = y0 >= 0 && y0 < height ? line(y0) : v1;
          const v3 = y0 + 1 >= 0 && y0 + 1 < height ? line(y0 + 1) : v2;
          const v4 = y0 + 2 >= 0 && y0 + 2 < height ? line(y0 + 2) : v3;
          const v = cubic(v1, v2, v3, v4, dy);
          out[to + c] = v <= 0 ? 0 : v >= 255 ? 255 : v;
        }
      }
    }
  }
  return { width: outWidth, height: outHeight, data: out };
}

function cubic(v1: number, v2: number, v3: number, v4: number, d: number): number {
  const p2 = -v1 + v3;
  const p3 = 2 * (v1 - v2) + v3 - v4;
  const p4 = -v1 + v2 - v3 + v4;
  return v2 + d * (p2 + d * (p3 + d * p4));
}
