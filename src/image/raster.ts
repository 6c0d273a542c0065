/** An 8-bit sRGB picture, three interleaved channels, no padding: `data[(y * width + x) * 3 + channel]`. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Where the object is: 255 on the object, 0 on the background, one byte a pixel, the size of its image.
 * `ignore`, where present, is 255 on pixels whose truth is unknown (a trimap's border under the policy `ignore`): edits
 * treat them as `data` says (object), comparisons with other masks leave them out.
 */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly ignore?: Uint8Array;
  /** How much of each pixel is object, where the file has levels between (soft masks); `data` is that split at half. */
  readonly soft?: Uint8Array;
  /** Where the edge is uncertain (`ignore`, `soft`), a pasted object's coverage and own colour are estimated; else hard. */
  readonly edges?: 'matte';
}

export type Rgb = readonly [red: number, green: number, blue: number];

export const createRaster = (
  width: number,
  height: number,
  data: Uint8Array = new Uint8Array(width * height * 3),
): Raster => ({
  width,
  height,
  data,
});

export const createMask = (width: number, height: number, data: Uint8Array = new Uint8Array(width * height)): Mask => ({
  width,
  height,
  data,
});

/** Throws unless two pictures fit on each other. */
export function sameSize(a: Raster | Mask, b: Raster | Mask): void {
  if (a.width === b.width && a.height === b.height) return;
  throw new RangeError(`Pictures of ${a.width}×${a.height} and ${b.width}×${b.height} do not fit on each other`);
}
