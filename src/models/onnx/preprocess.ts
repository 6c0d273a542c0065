import type { Preprocessing } from '../../contracts/model-record.ts';
import { crop as cut } from '../../image/crop.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { resize, resizeCrop } from '../../image/resize.ts';
import type { Prepared } from '../define.ts';
import { roundHalfEven } from '../round.ts';
import { type ResizedWindow, resizedTensorMaker, tensorMaker } from './tensor.ts';

export interface Geometry {
  /** Size after the resize. */
  readonly width: number;
  readonly height: number;
  /** Where the crop's corner lies in it; negative: filled up on that side. */
  readonly left: number;
  readonly top: number;
  readonly cropWidth: number;
  readonly cropHeight: number;
}

/** Sizes and offsets for one picture, by torchvision's rules (`Resize`, `CenterCrop`) and timm's (`ResizeKeepRatio`). */
export function geometryFor({ resize, crop }: Preprocessing, width: number, height: number): Geometry {
  const to = resizedTo(resize, width, height);
  const cropWidth = crop?.width ?? to.width;
  const cropHeight = crop?.height ?? to.height;
  const offset = crop?.offset === 'down' ? offsetDown : offsetEven;
  const [left, top] = [offset(to.width, cropWidth), offset(to.height, cropHeight)];
  // Asked for with every variant, so not by a spread.
  return { width: to.width, height: to.height, left, top, cropWidth, cropHeight };
}

/** The size in which a variant reaches the network. */
export function networkSize(preprocessing: Preprocessing, { width, height }: { width: number; height: number }) {
  const side = Math.max(width, height);
  const { cropWidth, cropHeight } = preprocessing.padToSquare
    ? geometryFor(preprocessing, side, side)
    : geometryFor(preprocessing, width, height);
  return { width: cropWidth, height: cropHeight };
}

function resizedTo(resize: Preprocessing['resize'], width: number, height: number) {
  if (!resize) return { width, height };
  if ('shortSide' in resize) {
    const long = Math.trunc((resize.shortSide * Math.max(width, height)) / Math.min(width, height));
    return width <= height ? { width: resize.shortSide, height: long } : { width: long, height: resize.shortSide };
  }
  if (resize.fit === 'stretch') return { width: resize.width, height: resize.height };
  const ratios = [height / resize.height, width / resize.width];
  const ratio = resize.fit === 'cover' ? Math.min(...ratios) : Math.max(...ratios);
  return { width: Math.max(1, roundHalfEven(width / ratio)), height: Math.max(1, roundHalfEven(height / ratio)) };
}

// torchvision pads (crop − size) // 2 on the left where the picture is smaller, and else rounds half to even.
const offsetEven = (size: number, crop: number) =>
  crop > size ? -Math.floor((crop - size) / 2) || 0 : roundHalfEven((size - crop) / 2);
const offsetDown = (size: number, crop: number) => Math.floor((size - crop) / 2);

/** The 8-bit picture the network sees, before normalising: equal to Pillow's byte for byte. */
export function fitPicture(image: Raster, preprocessing: Preprocessing): Raster {
  const { fill, padToSquare } = preprocessing;
  const source = padToSquare && image.width !== image.height ? square(image, fill) : image;
  const { width, height, left, top, cropWidth, cropHeight } = geometryFor(preprocessing, source.width, source.height);
  const inside = left >= 0 && top >= 0 && left + cropWidth <= width && top + cropHeight <= height;
  const unchanged = width === source.width && height === source.height;
  const filter = preprocessing.resize?.filter ?? 'bilinear';
  if (inside && unchanged) {
    const whole = cropWidth === width && cropHeight === height;
    return whole ? source : cut(source, left, top, cropWidth, cropHeight);
  }
  if (inside)
    return resizeCrop(source, width, height, filter, { x: left, y: top, width: cropWidth, height: cropHeight });
  const resized = unchanged ? source : resize(source, width, height, filter);
  return place(resized, cropWidth, cropHeight, -left, -top, fill);
}

function square(image: Raster, fill: Preprocessing['fill']): Raster {
  const side = Math.max(image.width, image.height);
  return place(image, side, side, Math.floor((side - image.width) / 2), Math.floor((side - image.height) / 2), fill);
}

/** A canvas of one colour with the picture on it, its corner at (left, top), cut where it sticks out. */
function place(image: Raster, width: number, height: number, left: number, top: number, fill: Preprocessing['fill']) {
  const canvas = createRaster(width, height);
  if (fill.some((value) => value !== 0)) for (let i = 0; i < canvas.data.length; i++) canvas.data[i] = fill[i % 3];
  const x0 = Math.max(0, left);
  const x1 = Math.min(width, left + image.width);
  for (let y = Math.max(0, top); y < Math.min(height, top + image.height); y++) {
    const from = ((y - top) * image.width + (x0 - left)) * 3;
    canvas.data.set(image.data.subarray(from, from + (x1 - x0) * 3), (y * width + x0) * 3);
  }
  return canvas;
}

/** From a picture to the model's input numbers; `spare`, of the right length, is filled instead of a new array. */
export function preprocessor(preprocessing: Preprocessing): (image: Raster, spare?: Prepared) => Prepared {
  const toTensor = tensorMaker(preprocessing);
  const toResized = resizedTensorMaker(preprocessing);
  return (image, spare) => {
    const cut = toResized && resizedWindow(image, preprocessing);
    return (cut && toResized(image, cut, spare)) ?? toTensor(fitPicture(image, preprocessing), spare);
  };
}

/** The usual case, a part of the resized picture and nothing around it. */
function resizedWindow(image: Raster, preprocessing: Preprocessing): ResizedWindow | undefined {
  if (preprocessing.padToSquare && image.width !== image.height) return undefined;
  const { width, height, left, top, cropWidth, cropHeight } = geometryFor(preprocessing, image.width, image.height);
  const inside = left >= 0 && top >= 0 && left + cropWidth <= width && top + cropHeight <= height;
  if (!inside || (width === image.width && height === image.height)) return undefined;
  return { width, height, window: { x: left, y: top, width: cropWidth, height: cropHeight } };
}
